// A store without a port: the service answers that another try does not help.
#include <gtest/gtest.h>

#include "listing/lists/maker.h"
#include "listing/plain_store.h"
#include "loop/loop.h"
#include "service/comments.h"

namespace quire {
namespace {

class WithoutPorts : public testing::Test {
 protected:
  static void expect_forbidden(const auto& answer) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::forbidden);
  }

  PlainStore store_;
  Comments comments_{store_, lists::listings_of(store_), Seal({Seal::Key{1, 2, 3}})};
  const Ulid id_ = Ulid::make(1000, {1});
};

TEST_F(WithoutPorts, CustomersAndVotesAreForbidden) {
  expect_forbidden(wait(comments_.written_by({}, {}, 10)));
  expect_forbidden(wait(comments_.has_published({})));
  expect_forbidden(wait(comments_.first_of({}, "42")));
  expect_forbidden(wait(comments_.made_by({}, {})));
  expect_forbidden(wait(comments_.traces({}, {id_})));
  expect_forbidden(wait(comments_.kept_of({})));
  expect_forbidden(wait(comments_.vote(id_, {}, Vote::helpful)));
  EXPECT_EQ(wait(comments_.erase({}, false)).failed.value().code, ErrorCode::forbidden);
  EXPECT_FALSE(wait(comments_.sweep()).value()) << "nothing is left to remove";
}

TEST_F(WithoutPorts, ModerationIsForbidden) {
  expect_forbidden(wait(comments_.queue({})));
  expect_forbidden(wait(comments_.report(id_, {}, 0)));
  EXPECT_FALSE(wait(comments_.status_totals()).value());
}

TEST_F(WithoutPorts, FactsAreForbidden) {
  expect_forbidden(wait(comments_.put_facts({{"42", {}}})));
  expect_forbidden(wait(comments_.remove_facts("42")));
}

TEST_F(WithoutPorts, MovesOfProductsAreForbidden) {
  expect_forbidden(wait(comments_.move("42", "43")));
  EXPECT_EQ(comments_.successor("42"), std::nullopt);
}

TEST_F(WithoutPorts, ChangesAreForbidden) {
  expect_forbidden(wait(comments_.changes().newest()));
  expect_forbidden(wait(comments_.changes().after({})));
  expect_forbidden(wait(comments_.changes().keep(true)));
  EXPECT_TRUE(wait(comments_.changes().keep(false)));
  comments_.changes().stop();
}

}  // namespace
}  // namespace quire
