// Pages of the list of products, over a store that has products and no comments.
#include "http/html/product_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "http/application/empty_store.h"
#include "http/html/html.h"
#include "listing/lists/maker.h"
#include "loop/loop.h"
#include "texts/names.h"

namespace quire::http {
namespace {

using ProductNames = std::vector<std::string>;

// Has one comment of each product, and none of those whose names begin with "empty".
class NamedView : public EmptyView {
 public:
  NamedView(const Behaviour& behaviour, const ProductNames& names)
      : EmptyView(behaviour), names_(names) {}

  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                        std::size_t limit) override {
    std::vector<ProductTotal> out;
    for (const auto& name : names_)
      if (name > after && out.size() < limit) out.push_back({name, 1, {1, 0, 0, 0, 0}});
    co_return out;
  }
  Awaitable<Result<Counts>> counts(std::string_view product) override {
    Counts out;
    bool known = std::binary_search(names_.begin(), names_.end(), product);
    if (known && !product.starts_with("empty")) out.add({1, 1}, 1);
    co_return out;
  }

 private:
  const ProductNames& names_;
};

class ProductListTest : public testing::Test, public EmptyStore {
 protected:
  std::unique_ptr<View> view() override { return std::make_unique<NamedView>(behaviour, names_); }

  void have(ProductNames names) {
    names_ = std::move(names);
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  }
  // All pages of the list.
  ProductNames walk(const std::string& find) {
    ProductNames out;
    std::string after;
    do {
      auto list = wait(list_products(comments_, {find, after, {}})).value();
      for (const auto& each : list.products) out.push_back(each.product);
      after = list.next;
      EXPECT_TRUE(after.empty() || list.products.size() == 100);
    } while (!after.empty());
    return out;
  }
  static bool by_name(const std::string& a, const std::string& b) {
    return std::pair(texts::order_key(a), a) < std::pair(texts::order_key(b), b);
  }
  // Those that begin so; of few products, those that have the text anywhere.
  ProductNames that_have(const std::string& text) const {
    ProductNames out;
    for (const auto& each : names_)
      if (names_.size() <= 500 ? each.find(text) != each.npos : each.starts_with(text))
        out.push_back(each);
    return out;
  }

  ProductNames names_;
  Comments comments_{*this, lists::listings_of(*this, {}), Seal({Seal::Key{}})};
};

TEST_F(ProductListTest, SortsAsPeopleDoAcrossPages) {
  ProductNames names;
  for (int i = 1; i <= 250; ++i) names.push_back("product-" + std::to_string(i));
  have(names);
  EXPECT_EQ(walk(""), names);
  EXPECT_EQ(walk("product-25"), (ProductNames{"product-25", "product-250"}));
  EXPECT_EQ(walk("product-2").size(), 62u);
  EXPECT_EQ(walk(" uct  25 "),
            (ProductNames{"product-25", "product-125", "product-225", "product-250"}))
      << "each word, in any order";
  EXPECT_EQ(walk("product-25 product-3"), ProductNames());
  EXPECT_EQ(walk("x"), ProductNames());
  auto list = wait(list_products(comments_, {"", "product-17b", {}})).value();
  EXPECT_EQ(list.products.front().product, "product-18") << "after a name that is no product";
}

TEST_F(ProductListTest, HasEachProductOnceWhateverTheNames) {
  std::mt19937 random(7);
  for (int size : {0, 1, 99, 100, 101, 500, 501, 700}) {
    ProductNames names;
    for (int i = 0; i < size; ++i) {
      auto each = std::to_string(random() % 1000) + "ab"[random() % 2] + std::to_string(i);
      names.push_back("ab"[random() % 2] + each);
    }
    have(std::move(names));
    for (std::string text : {"", "a", "a1", "b22", "b5b"}) {
      auto wanted = that_have(text);
      auto in_order = [&](const std::string& a, const std::string& b) {
        bool first = a.starts_with(text), second = b.starts_with(text);
        return first == second ? by_name(a, b) : first;
      };
      if (wanted.size() <= 500) std::sort(wanted.begin(), wanted.end(), in_order);
      EXPECT_EQ(walk(text), wanted) << size << " with " << text;
    }
  }
}

TEST_F(ProductListTest, ListsAProductThatIsTheBeginningOfMany) {
  ProductNames names{"p"};
  for (int i = 0; i < 600; ++i) names.push_back("p" + std::to_string(i));
  have(names);
  auto found = walk("p");
  EXPECT_EQ(found.front(), "p");
  EXPECT_EQ(found, that_have("p"));
}

TEST_F(ProductListTest, GoesOnAfterAPageWhoseProductsHaveNoComments) {
  ProductNames names{"full"};
  for (int i = 0; i < 150; ++i) names.push_back("empty" + std::to_string(i));
  have(names);
  auto list = wait(list_products(comments_, {})).value();
  EXPECT_EQ(list.products.size(), 0u);
  EXPECT_EQ(list.next, "empty99");
  auto page = [&] {
    Html html(false, nullptr);
    return html.products(html.look(), list, {}).body;
  }();
  EXPECT_NE(page.find("/?after=empty99"), std::string::npos) << page;
  EXPECT_EQ(wait(list_products(comments_, {"", list.next, {}})).value().products.front().product,
            "full");
}

}  // namespace
}  // namespace quire::http
