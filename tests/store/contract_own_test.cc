// How a store finds what a customer wrote of a product, and what a ticket made.
#include <cstdint>
#include <optional>
#include <string>

#include "contract.h"
#include "model/moderation.h"
#include "stands.h"
#include "store/customer_view.h"

namespace quire {
namespace {

CustomerHash own_customer(std::uint8_t number) {
  CustomerHash hash;
  hash.bytes.fill(number);
  return hash;
}

Comment own_comment(std::uint8_t writer, std::uint64_t number, std::string product = "42") {
  auto comment = comment_at(1000 + number, number, "en", 5, std::move(product));
  comment.customer = own_customer(writer);
  return comment;
}

class OwnContract : public WritingContract {
 protected:
  void post(const Comment& comment, const CustomerTerms& terms = {}) {
    ASSERT_TRUE(wait(store_->insert(comment, {}, terms)));
  }
  std::optional<Ulid> first_of(std::uint8_t writer, std::string product) {
    auto view = store_->view();
    return wait(view->customers()->first_of(own_customer(writer), std::move(product))).value();
  }
  std::optional<Ulid> made_by(std::uint8_t writer, std::uint8_t ticket) {
    auto view = store_->view();
    return wait(view->customers()->made_by(own_customer(writer), {ticket})).value();
  }
};

TEST_P(OwnContract, TheFirstCommentOfAProductIsFoundInAnyStatus) {
  EXPECT_FALSE(first_of(1, "42"));
  auto first = own_comment(1, 1), second = own_comment(1, 2);
  first.moderation = held({}, "links", 4000);
  post(second);
  post(first);
  post(own_comment(2, 3));
  post(own_comment(1, 4, "4"));
  EXPECT_EQ(first_of(1, "42"), first.id);
  ASSERT_TRUE(wait(store_->remove(first.id)));
  EXPECT_EQ(first_of(1, "42"), second.id);
  EXPECT_FALSE(first_of(1, "43"));
  EXPECT_FALSE(first_of(3, "42"));
  erase_all_of(own_customer(1), false);
  EXPECT_FALSE(first_of(1, "42"));
}

TEST_P(OwnContract, ATicketKnowsTheCommentThatItMadeAndNoOther) {
  auto made = own_comment(1, 1);
  post(own_comment(1, 2));
  EXPECT_FALSE(made_by(1, 5));
  post(made, {.ticket = Ticket{{5}, 9'000'000}, .now_ms = 5000});
  EXPECT_EQ(made_by(1, 5), made.id);
  EXPECT_FALSE(made_by(1, 6));
  EXPECT_FALSE(made_by(2, 5));
  ASSERT_TRUE(wait(store_->remove(made.id)));
  EXPECT_EQ(made_by(1, 5), made.id) << "it makes no second one";
  erase_all_of(own_customer(1), false);
  EXPECT_FALSE(made_by(1, 5));
}

INSTANTIATE_TEST_SUITE_P(Stores, OwnContract, testing::Values(on_embedded, on_local, on_stream),
                         name_of);

}  // namespace
}  // namespace quire
