// What a store keeps of products besides their comments.
#include <atomic>
#include <thread>

#include "contract.h"
#include "stands.h"

namespace quire {
namespace {

const ProductFacts a_lamp{.name = "Lamp", .url = "https://shop.example/42"},
    another_lamp{.name = "Better lamp", .sku = {"7"}};

class FactsContract : public WritingContract {
 protected:
  std::size_t put(std::vector<NamedFacts> all) {
    return wait(store_->facts()->put_facts(std::move(all))).value();
  }
  std::vector<std::optional<ProductFacts>> facts(std::vector<std::string> products) {
    auto view = store_->view();
    return wait(view->facts(std::move(products))).value();
  }
  std::vector<std::string> names(const std::string& after, std::size_t limit) {
    auto view = store_->view();
    return wait(view->names(after, limit)).value();
  }
  std::string products() {
    auto view = store_->view();
    auto found = wait(view->products("", 100)).value();
    std::string out;
    for (const auto& each : found) out += each.product + ":" + std::to_string(each.comments) + " ";
    return out;
  }
};

TEST_P(FactsContract, TheLatestAreKept) {
  EXPECT_EQ(put({{"42", a_lamp}, {"a b/c", another_lamp}}), 2u);
  EXPECT_EQ(facts({"none", "a b/c", "42", "42"}),
            (std::vector<std::optional<ProductFacts>>{{}, another_lamp, a_lamp, a_lamp}));
  EXPECT_EQ(put({{"42", another_lamp}, {"new", a_lamp}}), 1u);
  EXPECT_EQ(facts({"42"}).front(), another_lamp);
  ASSERT_TRUE(wait(store_->facts()->remove_facts("42")));
  EXPECT_FALSE(facts({"42"}).front());
  EXPECT_EQ(wait(store_->facts()->remove_facts("42")).error().code, ErrorCode::not_found);
}

TEST_P(FactsContract, TheirProductsAreListedBesideThoseWithComments) {
  insert(comment_at(1000, 1, "en", 5, "b"));
  insert(comment_at(1001, 2, "en", 4, "d"));
  put({{"a", a_lamp}, {"b", a_lamp}, {"c", a_lamp}, {"e", a_lamp}});
  EXPECT_EQ(names("", 10), (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(names("", 2), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(names("b", 2), (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(names("c", 10), (std::vector<std::string>{"d", "e"}));
  EXPECT_EQ(products(), "a:0 b:1 c:0 d:1 e:0 ");
  ASSERT_TRUE(wait(store_->facts()->remove_facts("a")));
  ASSERT_TRUE(wait(store_->facts()->remove_facts("b")));
  EXPECT_EQ(products(), "b:1 c:0 d:1 e:0 ");
}

TEST_P(FactsContract, AChangeEndsTheGenerationOfItsProduct) {
  insert(comment_at(1000, 1, "en", 5, "42"));
  auto before = store_->generation("42").value();
  put({{"42", a_lamp}});
  auto told = store_->generation("42").value();
  EXPECT_FALSE(told.same(before));
  ASSERT_TRUE(wait(store_->facts()->remove_facts("42")));
  EXPECT_FALSE(store_->generation("42").value().same(told));
}

TEST_P(FactsContract, UnchangedEndNoGeneration) {
  put({{"42", a_lamp}});
  // Of a table the rest of a generation changes with the time, too.
  auto told = store_->generation("42").value().product;
  EXPECT_EQ(put({{"42", a_lamp}, {"new", a_lamp}}), 1u);
  EXPECT_EQ(store_->generation("42").value().product, told);
}

TEST_P(FactsContract, AreChangedOnTheirCondition) {
  auto put_if = [&](const ProductFacts& facts, FactsCondition condition) {
    std::vector<NamedFacts> one{{"42", facts}};
    auto put = wait(store_->facts()->put_facts(std::move(one), std::move(condition)));
    return put ? std::to_string(*put) : put.error().parameter;
  };
  auto remove_if = [&](FactsCondition condition) {
    auto removed = wait(store_->facts()->remove_facts("42", std::move(condition)));
    return removed ? std::string("removed") : removed.error().parameter;
  };
  FactsCondition told{.told = true}, untold{.untold = true};
  FactsCondition lamp{.tags = {"\"another\"", facts_tag({"42", a_lamp})}, .told = true};
  EXPECT_EQ(put_if(a_lamp, told), "If-Match");
  EXPECT_EQ(remove_if(lamp), "If-Match");
  EXPECT_EQ(put_if(a_lamp, untold), "1");
  EXPECT_EQ(put_if(a_lamp, untold), "If-None-Match");
  EXPECT_EQ(put_if(another_lamp, lamp), "0");
  EXPECT_EQ(put_if(another_lamp, lamp), "If-Match");
  EXPECT_EQ(facts({"42"}).front(), another_lamp);
  EXPECT_EQ(remove_if(lamp), "If-Match");
  EXPECT_EQ(remove_if(told), "removed");
}

TEST_P(FactsContract, OfSomeAtOnceOneIsTheFirst) {
  for (std::string product : {"equal", "equal again", "different"}) {
    std::atomic<std::size_t> fresh = 0, refused = 0;
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i)
      writers.emplace_back([&, i] {
        auto name = product == "different" ? std::to_string(i) : "Lamp";
        std::vector<NamedFacts> one{{product, {.name = name}}};
        auto put = wait(store_->facts()->put_facts(std::move(one), FactsCondition{.untold = true}));
        ++(put ? fresh : refused);
      });
    for (auto& writer : writers) writer.join();
    EXPECT_EQ(fresh, 1u) << product;
    EXPECT_EQ(refused, 3u) << product;
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, FactsContract, testing::Values(on_embedded, on_local), name_of);

}  // namespace
}  // namespace quire
