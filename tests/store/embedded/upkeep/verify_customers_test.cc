// Verify finds rows of customers that disagree with the comments, in both directions, and rebuild()
// makes them again.
#include <gtest/gtest.h>

#include "damaged_store.h"
#include "store/customer_view.h"
#include "store/embedded/format/rows.h"
#include "store/moderation_view.h"

namespace quire::embedded {
namespace {

class VerifyCustomers : public Verify {
 protected:
  VerifyCustomers() {
    for (std::uint64_t i = 0; i < 4; ++i) {
      auto comment = comment_at(2000 + i, i, "en", 5, "of customers");
      comment.customer = i < 2 ? customer_ : CustomerHash{{9}};
      if (i % 2) comment.moderation = held({}, "links", 4000);
      CustomerTerms terms;
      if (i % 2 == 0) terms = {.ticket = Ticket{{1}, 9000}, .now_ms = 5000};
      EXPECT_TRUE(wait(store_->insert(comment, {}, terms)));
    }
  }
  void TearDown() override {
    ASSERT_TRUE(wait(store_->rebuild()));
    EXPECT_EQ(verify(db()).differences, 0u);
    auto view = store_->view();
    auto own = wait(view->customers()->written_by(customer_, {}, 10)).value();
    EXPECT_EQ(own.comments.size(), 2u);
    EXPECT_TRUE(wait(view->customers()->has_published(customer_)).value());
    auto second = comment_at(3000, 1, "en", 5, "of customers");
    second.customer = customer_;
    auto refused = wait(store_->insert(second, {}, {.once = true}));
    EXPECT_EQ(refused.error().comment, id_at(2000, 0).text());
  }
  std::size_t differences(const std::function<void(lmdb::WriteTransaction&)>& damage) {
    return after(damage).differences;
  }
  CustomerHash customer_{{1, 2, 3}};
};

TEST_F(VerifyCustomers, AnIntactStoreHasNoDifferences) {
  EXPECT_EQ(verify(db()).differences, 0u);
  EXPECT_EQ(verify(db()).comments, 14u);
}

TEST_F(VerifyCustomers, AMissingRowIsFound) {
  for (std::uint64_t i = 0; i < 2; ++i) {
    EXPECT_GE(
        differences([&](auto& txn) {
          EXPECT_TRUE(txn.remove(db().customers, customer_key(customer_, "", id_at(2000 + i, i))));
        }),
        1u);
    ASSERT_TRUE(wait(store_->rebuild()));
  }
  EXPECT_GE(differences([&](auto& txn) {
              EXPECT_TRUE(txn.remove(db().customers,
                                     customer_key(customer_, "of customers", id_at(2000, 0))));
            }),
            1u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(differences([&](auto& txn) { txn.clear(db().customers); }), 4u);
}

TEST_F(VerifyCustomers, ARowWithoutACommentIsFound) {
  EXPECT_EQ(differences([&](auto& txn) {
              txn.put(db().customers, customer_key(customer_, "", id_at(7, 7)), {});
            }),
            1u);
  EXPECT_EQ(differences([&](auto& txn) {
              txn.put(db().customers, customer_key(customer_, "42", id_), {});
            }),
            2u);
}

TEST_F(VerifyCustomers, ARowOfAnotherCustomerIsFound) {
  EXPECT_EQ(differences([&](auto& txn) {
              txn.put(db().customers, customer_key({{5}}, "", id_at(2000, 0)), {});
            }),
            1u);
}

TEST_F(VerifyCustomers, AUsedTicketThatIsDamagedOrCannotBeFoundByItsEndIsFound) {
  auto key = ticket_key(customer_, {1});
  EXPECT_EQ(differences([&](auto& txn) { txn.put(db().tickets, key, "?"); }), 1u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(differences([&](auto& txn) { txn.clear(db().tickets_by_end); }), 2u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(differences([&](auto& txn) { txn.put(db().tickets_by_end, by_time_key(1, key), {}); }),
            1u);
}

}  // namespace
}  // namespace quire::embedded
