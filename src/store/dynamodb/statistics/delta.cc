#include "store/dynamodb/statistics/delta.h"
#include "base/try.h"

#include "model/counts.h"
#include "model/validate.h"

namespace quire::dynamodb {

Awaitable<Result<RegisteredProducts>> registered_products(TableClient& client, std::string after,
                                                          std::size_t limit) {
  RegisteredProducts out;
  for (bool end = false; !end && out.names.size() < limit;) {
    QueryArguments arguments{.table = client.table(),
                             .partition_name = "PK",
                             .partition = std::string(products_partition),
                             .limit = limit - out.names.size()};
    if (!after.empty()) arguments.start = key_of(arguments.partition, after);
    CO_TRY(auto page, co_await client.page(query(arguments)));
    out.consumed += page.consumed;
    for (const auto& item : page.items) {
      std::string name(text_of(item, "SK").value_or(""));
      if (is_product_name(name)) out.names.push_back(std::move(name));
      if (auto damage = misnamed(item)) out.damaged.push_back(std::move(*damage));
    }
    end = !page.last;
    if (end) break;
    std::string last(text_of(*page.last, "SK").value_or(""));
    if (last <= after) co_return damaged_answer();  // the query would never end
    after = std::move(last);
  }
  co_return out;
}

namespace {

using Kind = Action::Kind;

const std::array<std::string, 5> count_attributes = {"count_1", "count_2", "count_3", "count_4",
                                                     "count_5"};

const RatingCounts* find(const Totals& totals, FacetValue language) {
  auto at = totals.find(language);
  return at == totals.end() ? nullptr : &at->second;
}

Totals without_empty(Totals totals) {
  std::erase_if(totals, [](const auto& outcome) { return total(outcome.second) == 0; });
  return totals;
}

}  // namespace

std::size_t fitting(std::span<const change::Change> changes, std::size_t max_actions,
                    std::size_t per_comment) {
  std::set<std::pair<std::string_view, FacetValue>> rows;
  std::set<std::string_view> products;
  std::set<Ulid> comments;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& change = changes[i];
    comments.insert(change.id);
    products.insert(change.product);
    for (const auto* values : {&change.from, &change.to}) {
      if (*values) rows.insert({change.product, (*values)->cell[language_facet]});
    }
    bool first_of_record = i > 0 && change.sequence != changes[i - 1].sequence;
    auto actions = per_comment * comments.size() + 2 * rows.size() + 3 * products.size();
    if (first_of_record && actions > max_actions) return i;
  }
  return changes.size();
}

void StatisticsDelta::move(const std::string& product, const std::optional<Cell>& from,
                           const std::optional<Cell>& to) {
  if (from == to) return;
  Outcome& outcome =
      outcomes_.try_emplace(product, Outcome{*before_.at(product), {}}).first->second;
  count(outcome, from, -1);
  count(outcome, to, 1);
}

// If a comment goes whose count is zero already, the count is wrong, or the expected totals are
// older than the comment: the language's totals become doubtful.
void StatisticsDelta::count(Outcome& outcome, const std::optional<Cell>& cell, int step) {
  if (!cell) return;
  for (FacetValue language : {any, (*cell)[language_facet]}) {
    auto& comments = outcome.after[language][(*cell)[rating_facet] - 1];
    if (step > 0 || comments > 0)
      comments += static_cast<std::uint64_t>(step);
    else
      outcome.doubtful.insert(language);
  }
}

std::map<std::string, Totals> StatisticsDelta::totals() const {
  std::map<std::string, Totals> out;
  for (const auto& [product, outcome] : outcomes_)
    out.emplace(product, without_empty(outcome.after));
  return out;
}

std::vector<Action> StatisticsDelta::actions() const {
  std::vector<Action> actions;
  for (const auto& [product, outcome] : outcomes_) add(actions, product, outcome);
  return actions;
}

// Doubtful totals are written though they stay the same, so that the transaction fails if they are
// not those in the table.
void StatisticsDelta::add(std::vector<Action>& actions, const std::string& product,
                          const Outcome& outcome) const {
  const Totals& before = *before_.at(product);
  Totals after = without_empty(outcome.after);
  Totals both = before;
  both.insert(after.begin(), after.end());
  for (auto language : outcome.doubtful) both.try_emplace(language);
  for (const auto& [language, unused] : both) {
    auto *from = find(before, language), *to = find(after, language);
    if (from && to && *from == *to && !outcome.doubtful.contains(language)) continue;
    Expression condition = absent();
    if (from)
      condition = unchanged(statistics_item(product, language, *from, shards_), count_attributes);
    Item item =
        to ? statistics_item(product, language, *to, shards_) : statistics_key(product, language);
    actions.push_back({to ? Kind::put : Kind::remove, std::move(item), condition});
    // The statistics item is conditional, so the leaderboard entry that follows from it need not
    // be.
    auto old_entry = from ? average_item(product, language, *from, shards_) : std::nullopt;
    auto entry = to ? average_item(product, language, *to, shards_) : std::nullopt;
    if (old_entry == entry) continue;
    actions.push_back(
        {entry ? Kind::put : Kind::remove, entry ? *entry : average_key(product, language), {}});
  }
  bool was = find(before, any), is = find(after, any);
  if (was == is) return;
  Item registered = key_of(std::string(products_partition), product);
  actions.push_back({is ? Kind::put : Kind::remove, std::move(registered)});
}

}  // namespace quire::dynamodb
