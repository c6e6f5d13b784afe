#include "store/dynamodb/transaction.h"

#include <fmt/format.h>

#include <set>

#include "model/ratings.h"

namespace quire::dynamodb {
namespace {

using What = Action::What;
using About = Transaction::About;

Expression absent() {
  return {"attribute_not_exists(#k)", {{"#k", "PK"}}, {}};
}

// An item still has these attributes, as they were.
Expression unchanged(const Item& item, std::span<const std::string> attributes) {
  Expression out;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    std::string name = fmt::format("#{}", static_cast<char>('a' + i));
    std::string value = fmt::format(":{}", static_cast<char>('a' + i));
    if (i > 0) out.text += " AND ";
    out.text.append(name).append(" = ").append(value);
    out.names[name] = attributes[i];
    out.values[value] = item.at(attributes[i]);
  }
  return out;
}

const std::array<std::string, 3> comment_attributes = {"data", "language", "rating"};
const std::array<std::string, 5> count_attributes = {"count_1", "count_2", "count_3", "count_4",
                                                     "count_5"};

std::optional<Cell> cell_of(const std::optional<Comment>& comment) {
  if (!comment) return {};
  return cell(comment->language, comment->rating);
}

std::optional<Comment> before_of(const Change& change) {
  return change.before ? comment_of(*change.before) : std::nullopt;
}

// A count that is zero already, where a comment goes, is wrong, or what is known is older than the
// comment: the language becomes `doubted`.
void count(Totals& totals, const std::optional<Cell>& cell, int step,
           std::set<FacetValue>& doubted) {
  if (!cell) return;
  for (FacetValue language : {any, (*cell)[language_facet]}) {
    auto& comments = totals[language][(*cell)[rating_facet] - 1];
    if (step > 0 || comments > 0)
      comments += static_cast<std::uint64_t>(step);
    else
      doubted.insert(language);
  }
}

const RatingCounts* find(const Totals& totals, FacetValue language) {
  auto at = totals.find(language);
  return at == totals.end() ? nullptr : &at->second;
}

Action statistics_action(const std::string& product, FacetValue language,
                         const RatingCounts* before, const RatingCounts* after) {
  Expression condition = absent();
  if (before) condition = unchanged(statistics_item(product, language, *before), count_attributes);
  if (after) return {What::put, statistics_item(product, language, *after), condition};
  return {What::remove, statistics_key(product, language), condition};
}

// What is doubted is written though it stays as it was: only if it is so.
void add_statistics(Transaction& transaction, const std::string& product, const Totals& before,
                    const std::set<FacetValue>& doubted) {
  Totals& after = transaction.totals.at(product);
  std::erase_if(after, [](const auto& row) { return total(row.second) == 0; });
  Totals both = before;
  both.insert(after.begin(), after.end());
  for (auto language : doubted) both.try_emplace(language);
  for (const auto& [language, unused] : both) {
    auto *from = find(before, language), *to = find(after, language);
    if (from && to && *from == *to && !doubted.contains(language)) continue;
    transaction.actions.push_back(statistics_action(product, language, from, to));
    transaction.about.push_back({About::What::statistics});
  }
  bool was = find(before, any), is = find(after, any);
  if (was == is) return;
  Item row = key_of(std::string(products_partition), product);
  transaction.actions.push_back({is ? What::put : What::remove, row});
  transaction.about.push_back({About::What::statistics});
}

}  // namespace

Action action_of(const Change& change) {
  Expression condition = change.before ? unchanged(*change.before, comment_attributes) : absent();
  if (change.after) return {What::put, comment_item(*change.after), condition};
  return {What::remove, key_of(change.before->at("PK").text, change.before->at("SK").text),
          condition};
}

bool moves(const Change& change) {
  return cell_of(before_of(change)) != cell_of(change.after);
}

std::string product_of(const Change& change) {
  return change.after ? change.after->product : before_of(change).value().product;
}

Expression unused_key(std::uint64_t now_s) {
  return {"attribute_not_exists(#k) OR #e <= :now",
          {{"#k", "PK"}, {"#e", "expires"}},
          {{":now", number(now_s)}}};
}

Transaction transaction_of(std::span<const Change> changes, const KnownTotals& totals,
                           const std::optional<Item>& key, std::uint64_t now_s) {
  Transaction out;
  std::map<std::string, std::set<FacetValue>> doubted;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    out.actions.push_back(action_of(changes[i]));
    out.about.push_back({About::What::change, i});
    std::string product = product_of(changes[i]);
    Totals& after = out.totals.try_emplace(product, *totals.at(product)).first->second;
    count(after, cell_of(before_of(changes[i])), -1, doubted[product]);
    count(after, cell_of(changes[i].after), 1, doubted[product]);
  }
  for (const auto& [product, before] : totals) {
    if (out.totals.contains(product)) add_statistics(out, product, *before, doubted[product]);
  }
  if (!key) return out;
  out.actions.push_back({What::put, *key, unused_key(now_s)});
  out.about.push_back({About::What::key});
  return out;
}

}  // namespace quire::dynamodb
