// Verify finds facts of products that are damaged or have no row, and rebuild() mends them.
#include <gtest/gtest.h>

#include "damaged_store.h"

namespace quire::embedded {
namespace {

class VerifyFacts : public Verify {
 protected:
  VerifyFacts() {
    std::vector<NamedFacts> two{{"with facts", {.name = "Lamp"}}, {"42", {.name = "Desk"}}};
    EXPECT_TRUE(wait(store_->put_facts(two)));
  }
  std::size_t differences(const std::function<void(lmdb::WriteTransaction&)>& damage) {
    return after(damage).differences;
  }
  std::optional<ProductFacts> facts(const std::string& product) {
    auto view = store_->view();
    return wait(view->facts({product})).value().front();
  }
};

TEST_F(VerifyFacts, AnIntactStoreHasNoDifferences) {
  EXPECT_EQ(verify(db()).differences, 0u);
}

TEST_F(VerifyFacts, DamagedFactsAreFoundAndLeftOut) {
  EXPECT_EQ(differences([&](auto& txn) { txn.put(db().facts, "42", "{}"); }), 1u);
  EXPECT_FALSE(facts("42"));
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(verify(db()).differences, 0u);
  EXPECT_EQ(facts("with facts")->name, "Lamp");
}

TEST_F(VerifyFacts, FactsWithoutARowAreFoundAndGetOne) {
  EXPECT_EQ(differences([&](auto& txn) { txn.remove(db().products, "with facts"); }), 1u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(verify(db()).differences, 0u);
  EXPECT_EQ(facts("with facts")->name, "Lamp");
}

}  // namespace
}  // namespace quire::embedded
