// Verify finds facts of products that are damaged or have no row, and rebuild() mends them.
#include <gtest/gtest.h>

#include "damaged_store.h"

namespace quire::embedded {
namespace {

class VerifyFacts : public Verify {
 protected:
  VerifyFacts() {
    std::vector<NamedFacts> two{{"with facts", {.name = "Lamp"}}, {"42", {.name = "Desk"}}};
    EXPECT_TRUE(wait(store_->facts()->put_facts(two)));
  }
  void TearDown() override {
    Verify::TearDown();
    EXPECT_EQ(facts("with facts")->name, "Lamp");
    EXPECT_EQ(facts("42").has_value(), facts_aside_ == 0);
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

TEST_F(VerifyFacts, DamagedFactsAreFoundAndSetAside) {
  EXPECT_EQ(differences([&](auto& txn) { txn.put(db().facts, "42", "{}"); }), 1u);
  auto view = store_->view();
  ASSERT_TRUE(wait(view->facts({"42", "with facts"})));
  EXPECT_EQ(view->left_out(), 1u);
  facts_aside_ = 1;
}

TEST_F(VerifyFacts, FactsWithoutARowAreFoundAndGetOne) {
  EXPECT_EQ(differences([&](auto& txn) { txn.remove(db().products, "with facts"); }), 1u);
}

}  // namespace
}  // namespace quire::embedded
