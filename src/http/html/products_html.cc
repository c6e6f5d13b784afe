#include <cmath>

#include "base/text.h"
#include "http/html/parts.h"
#include "model/counts.h"

namespace quire::http {

void fill_product(Values& out, const Look& look, const ProductFacts* facts) {
  if (!facts) return;
  out.set("BRAND", facts->brand);
  const auto& shop = look.face->shop();
  if (shop && shop->has_picture(facts->image))
    out.set("IMAGE_HREF", look.links().picture(facts->image));
}

void fill_find(Values& page, const Look& look, bool by_id, std::string_view sought) {
  auto& find = page.add("FIND");
  find.set("FIND_LABEL", look.texts()[by_id ? "id_begins_with" : "find_product"]);
  find.set("FIND_VALUE", sought);
}

namespace {

// The orders of all products, or of those that `find` finds.
void add_orders(Values& page, const Look& look, std::optional<Leaders> by,
                const std::string& find = {}) {
  struct Order {
    const char* label;
    const char* query;
    std::optional<Leaders> by;
  };
  constexpr Order orders[] = {{"by_name", "", {}},
                              {"by_five_star", "&by=five_star", Leaders::five_star},
                              {"by_average", "&by=average", Leaders::average}};
  auto& section = page.add("ORDERS");
  for (const auto& order : orders) {
    auto& row = section.add("ORDER");
    row.set("LABEL", look.texts()[order.label]);
    auto query = find.empty() ? std::string() : "&find=" + percent_encode(find);
    query += order.query;
    row.set("HREF", look.links().products(query.empty() ? query : query.substr(1)));
    if (order.by == by) row.show("CURRENT");
  }
}

// The first character of a name. A few bytes follow the first byte of a character, and say so.
std::string_view initial_of(std::string_view name) {
  std::size_t size = 1;
  while (size < name.size() && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80) ++size;
  return name.substr(0, size);
}

Values& add_product(Values& list, const Look& look, const std::string& product,
                    const std::optional<ProductFacts>& facts, const RatingCounts& ratings) {
  auto& row = list.add("PRODUCT");
  const auto& name = facts ? facts->name : product;
  row.set("NAME", name);
  row.set("INITIAL", initial_of(name));
  if (facts) fill_product(row, look, &*facts);
  row.set("HREF", look.links(product).product());
  row.set("COUNT_TEXT", look.texts().counted("comments", total(ratings)));
  if (total(ratings) == 0) return row;
  row.set("AVERAGE_TEXT", look.texts().forms().decimal(average(ratings)));
  row.set("AVERAGE_PERCENT", std::lround(average(ratings) * 2) * 10);  // halves of stars
  return row;
}

void add_five(Values& row, const Look& look, const RatingCounts& ratings) {
  row.set("FIVE_TEXT", look.texts().counted("five_star_count", ratings[4]));
}

const std::string& about(Leaders by, const texts::Texts& texts) {
  return texts[by == Leaders::average ? "about_best_rated" : "about_most_five_star"];
}

void add_products(Values& page, const Look& look, const ProductList& list,
                  std::optional<Leaders> by) {
  if (list.products.empty()) return;
  auto& section = page.add("PRODUCTS");
  for (std::size_t i = 0; i < list.products.size(); ++i) {
    const auto& each = list.products[i];
    auto& row = add_product(section, look, each.product, list.facts[i], each.ratings);
    if (by) row.set("RANK", look.texts().forms().number(i + 1));
    if (by == Leaders::five_star) add_five(row, look, each.ratings);
  }
  if (by) page.set("ABOUT_TEXT", about(*by, look.texts()));
}

// "7 products", "product-1 to product-100", "7 products for “lamp”", "No products for “lamp”".
std::string range_text(const texts::Texts& texts, const ProductList& list, const std::string& find,
                       const std::string& after) {
  const auto& products = list.products;
  if (products.empty() && find.empty()) return texts["no_products"];
  if (products.empty()) return texts.with("no_such_product", {{"SOUGHT", find}});
  auto range = after.empty() && list.next.empty()
                   ? texts.counted("product_count", products.size())
                   : texts.with("products_from_to", {{"FIRST", list.name(0)},
                                                     {"LAST", list.name(products.size() - 1)}});
  if (find.empty()) return range;
  return texts.with("found_with", {{"SOUGHT", find}, {"PRODUCTS", range}});
}

}  // namespace

void fill_products(Values& page, const Look& look, const ProductList& list,
                   const ProductQuery& asked) {
  const auto& [find, after, by] = asked;
  const auto& products = list.products;
  const auto& texts = look.texts();
  auto title = find.empty() ? texts["products"] : texts.with("products_with", {{"SOUGHT", find}});
  page.set("PAGE_TITLE", after.empty() ? title
                                       : texts.with("title_after", {{"TITLE", title},
                                                                    {"PRODUCT", list.after_name}}));
  page.set("TOTAL_TEXT", range_text(texts, list, find, after));
  if (products.empty() && find.empty()) page.show("EMPTY");
  add_products(page, look, list, by);
  if (!find.empty()) page.show("SOUGHT");
  if (!find.empty() && products.empty()) {
    page.show("NONE");
    page.show(list.finds_ids ? Name("CASE_DIFFERS") : Name("SPELLING"));
  }
  bool all_are_here = after.empty() && list.next.empty();
  if (find.empty() ? !products.empty() : all_are_here && products.size() > 1)
    add_orders(page, look, by, find);
  if (!products.empty() || !find.empty()) fill_find(page, look, list.finds_ids, find);
  auto query = find.empty() ? std::string() : "find=" + percent_encode(find);
  if (!after.empty() || !list.next.empty()) page.show("PAGER");
  if (!after.empty()) page.set("START_HREF", look.links().products(query));
  if (!list.next.empty()) {
    if (!query.empty()) query += '&';
    page.set("NEXT_HREF", look.links().products(query + "after=" + percent_encode(list.next)));
  }
}

void fill_suggested(Values& page, const Look& look, const Leaderboard& board) {
  if (board.leaders.empty()) return;
  page.show("SUGGESTED");
  auto& list = page.add("PRODUCTS");
  for (const auto& leader : board.leaders)
    add_product(list, look, leader.product, leader.facts, leader.ratings);
}

void fill_leaders(Values& page, const Look& look, const Leaderboard& board, Leaders by) {
  const auto& texts = look.texts();
  bool average = by == Leaders::average;
  page.set("PAGE_TITLE", texts[average ? "best_rated_products" : "most_five_star_products"]);
  page.set("TOTAL_TEXT", board.leaders.empty() ? texts["no_products"] : about(by, texts));
  fill_as_of(page, board.as_of_ms, texts, look.zone());
  if (board.leaders.empty())
    page.show("EMPTY");
  else
    fill_find(page, look, false, "");
  add_orders(page, look, by);
  auto* list = board.leaders.empty() ? nullptr : &page.add("PRODUCTS");
  for (std::uint64_t rank = 1; const auto& leader : board.leaders) {
    auto& row = add_product(*list, look, leader.product, leader.facts, leader.ratings);
    row.set("RANK", texts.forms().number(rank++));
    if (!average) add_five(row, look, leader.ratings);
  }
}

}  // namespace quire::http
