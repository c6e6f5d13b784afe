// The first step of a deed, over a store: whom the desk admits, and what a permit is for.
#include <gtest/gtest.h>

#include "desk/desk.h"
#include "listing/bitmap/indexed.h"
#include "loop/loop.h"
#include "store/embedded/store.h"
#include "temporary_directory.h"

namespace quire::desk {
namespace {

class AdmissionTest : public testing::Test {
 protected:
  bool admits(Writer writer, Deed deed) {
    auto shared = std::make_shared<const Writer>(std::move(writer));
    return std::holds_alternative<Permit>(desk_.admit(shared, deed, "42"));
  }

  TemporaryDirectory directory_;
  std::unique_ptr<embedded::LmdbStore> store_ =
      embedded::LmdbStore::open(directory_.path(), Access::write).value();
  Comments comments_{*store_, bitmap::listings(), Seal({Seal::Key{}})};
  Desk desk_{comments_, {.rates = {.client = 2}}};
};

constexpr Deed of_tokens[] = {
    Deed::post,       Deed::edit,   Deed::remove,          Deed::decide,         Deed::reply,
    Deed::read_queue, Deed::invite, Deed::export_customer, Deed::erase_customer, Deed::tell,
    Deed::import,     Deed::update, Deed::read_all,        Deed::read_feed};

TEST_F(AdmissionTest, OperatorsAndProgramsDoAllThatTokensDoHoweverOften) {
  for (int time = 0; time < 3; ++time) {
    for (auto deed : of_tokens) {
      EXPECT_TRUE(admits(Writer::operator_here(), deed)) << static_cast<int>(deed);
      EXPECT_TRUE(admits(Writer::program(), deed)) << static_cast<int>(deed);
    }
  }
}

// A vote, or what a customer wrote, is of nobody without a customer.
TEST_F(AdmissionTest, TrustMakesNoCustomer) {
  for (auto deed : {Deed::vote, Deed::read_own, Deed::read_written}) {
    EXPECT_FALSE(admits(Writer::operator_here(), deed));
    EXPECT_FALSE(admits(Writer::program(), deed));
  }
}

// Whoever has the link may not do what a customer does who is signed in.
TEST_F(AdmissionTest, AnInvitationDoesWhatItsOneCommentNeeds) {
  Customer customer{.hash = {}};
  EXPECT_TRUE(admits(Writer::of_customer(customer), Deed::read_own));
  customer.invitation = Customer::Invitation{};
  for (auto deed : {Deed::read_own, Deed::vote, Deed::report, Deed::erase_customer})
    EXPECT_FALSE(admits(Writer::of_customer(customer), deed)) << static_cast<int>(deed);
  EXPECT_TRUE(admits(Writer::of_customer(customer), Deed::read_written));
}

TEST_F(AdmissionTest, APermitIsForOneDeed) {
  auto writer = std::make_shared<const Writer>(Writer::operator_here());
  auto permit = std::get<Permit>(desk_.admit(writer, Deed::read_queue));
  EXPECT_THROW(static_cast<void>(wait(desk_.remove(permit, Ulid{}, {}))), std::logic_error);
  EXPECT_TRUE(wait(desk_.queue(permit, {})).ok());
}

}  // namespace
}  // namespace quire::desk
