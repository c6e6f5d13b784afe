#include "listing/lists/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "listing/lists/lists_listing.h"

namespace quire::lists {

namespace {

// All lists of the choice, those to read first. Without those that are skipped, the rest might not
// be all pairs of some languages and some ratings.
std::vector<Cell> lists_of(const Choice& choice) {
  auto lists = choice.lists;
  lists.insert(lists.end(), choice.skipped.begin(), choice.skipped.end());
  return lists;
}

constexpr std::size_t max_languages = 100;

std::string unlisted(const std::vector<std::string>& names) {
  return fmt::format(
      "Lists do not know {}. An index that holds every facet counts and numbers comments by {}: "
      "--pages lmdb:DIR.",
      fmt::join(names, ", "), names.size() == 1 ? "it" : "them");
}

FacetCounts count(const Counts& counts, const Filter& filter, ListFacet facet) {
  FacetCounts out{std::string(list_facets[facet].name),
                  facet == language_facet ? FacetType::choice : FacetType::number};
  std::map<FacetValue, std::uint64_t> values;
  for (const auto& row : counts.rows())
    if (filter.matches(row.cell)) values[row.cell[facet]] += row.comments;
  for (const auto& [value, comments] : values) {
    out.values.emplace_back(list_facets[facet].text(value), comments);
    out.comments += comments;
  }
  if (facet == rating_facet && !values.empty()) {
    out.min = static_cast<std::int64_t>(values.begin()->first);
    out.max = static_cast<std::int64_t>(values.rbegin()->first);
  }
  std::sort(out.values.begin(), out.values.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  out.values.resize(std::min(out.values.size(), max_languages));
  std::sort(out.values.begin(), out.values.end());
  return out;
}

}  // namespace

ListNumbers::ListNumbers(IndexHealth& health, std::shared_ptr<Ranks> ranks, Deadline deadline)
    : numbers_{Numbers::Kind::of_index},
      ranks_(std::move(ranks)),
      health_(&health),
      deadline_(deadline) {}

template <class T>
Awaitable<Result<T>> ListNumbers::ask(RanksCall<T> question) {
  if (deadline_ == Deadline::max()) co_return co_await question(*ranks_);
  std::function<Awaitable<Result<T>>()> asks = [ranks = ranks_, question = std::move(question)] {
    return question(*ranks);
  };
  auto answer = co_await within(deadline_, std::move(asks));
  if (answer) co_return std::move(*answer);
  late_ = true;
  co_return Error{ErrorCode::unavailable, "The page index takes too long to answer."};
}

void ListNumbers::lose(std::string missing) {
  numbers_ = {Numbers::Kind::none, std::move(missing)};
  ranks_.reset();
}

void ListNumbers::failed(std::string_view product, const Error& error) {
  if (late_) return lose(error.message);
  health_->failed(product, error);
  lose(index_fails_for_product);
}

Awaitable<void> ListNumbers::measure(std::vector<Segment>& segments) {
  if (segments.empty()) co_return;
  std::vector<Cell> lists;
  bool reads = false;
  for (auto& segment : segments) {
    const auto& lossless = segment.plan.lossless();
    auto more = lists_of(lossless);
    lists.insert(lists.end(), more.begin(), more.end());
    reads |= !lossless.lists.empty();
  }
  if (!reads) co_return;
  const std::string product = segments.front().plan.filter.product;
  RanksCall<std::vector<std::uint64_t>> question = [=](Ranks& ranks) {
    return ranks.lengths(product, lists);
  };
  auto lengths = co_await ask(std::move(question));
  if (!lengths) {
    failed(product, lengths.error());
    co_return;
  }
  auto next = lengths->begin();
  for (auto& segment : segments) {
    Choice& lossless = segment.plan.lossless();
    for (auto& length : lossless.lengths) length = *next++;
    segment.plan.matches = lossless.held();
    for (std::size_t i = 0; i < lossless.skipped.size(); ++i) segment.plan.matches += *next++;
  }
}

Awaitable<void> ListNumbers::check_again() {
  if (!ranks_) co_return;
  auto status = co_await health_->status_anew();
  if (!status.missing.empty()) lose(std::move(status.missing));
}

Awaitable<std::optional<Nth>> ListNumbers::nth(const std::vector<Segment>& segments, Order order,
                                               std::uint64_t n) {
  std::size_t segment = 0;
  while (n >= segments[segment].plan.matches) n -= segments[segment++].plan.matches;
  const Plan& plan = segments[segment].plan;
  auto lists = lists_of(plan.lossless());
  auto rank = order == Order::oldest_first ? n : plan.matches - 1 - n;
  RanksCall<Ulid> question = [=, product = plan.filter.product,
                              length = plan.matches](Ranks& ranks) {
    return ranks.nth_of_union(product, lists, length, rank);
  };
  auto found = co_await ask(std::move(question));
  if (found) co_return Nth{segment, *found};
  failed(plan.filter.product, found.error());
  co_return std::nullopt;
}

Awaitable<std::optional<std::uint64_t>> ListNumbers::rank(const std::vector<Segment>& segments,
                                                          Order order, std::size_t segment,
                                                          const Ulid& id) {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < segment; ++i) before += segments[i].plan.matches;
  const Plan& plan = segments[segment].plan;
  bool oldest_first = order == Order::oldest_first;
  auto lists = lists_of(plan.lossless());
  auto before_id = oldest_first ? id : id.next();
  RanksCall<std::vector<std::uint64_t>> question = [=,
                                                    product = plan.filter.product](Ranks& ranks) {
    return ranks.ranks(product, lists, before_id);
  };
  auto each = co_await ask(std::move(question));
  if (each) {
    auto older = std::accumulate(each->begin(), each->end(), std::uint64_t{0});
    // An index beside the store may have grown or shrunk since its lists were measured.
    auto within = std::min(older, plan.matches);
    co_return before + (oldest_first ? within : plan.matches - within);
  }
  failed(plan.filter.product, each.error());
  co_return std::nullopt;
}

CountedFacets count_cells(const Counts& counts, const Filter& filter,
                          std::span<const SchemaFacet> facets, Under under) {
  if (!filter.clauses.empty()) return {{}, uncounted(filter)};
  if (!counts.known) return {{}, "Nothing counts these comments: no page index follows the table."};
  CountedFacets out;
  std::vector<std::string> missing;
  for (const auto& facet : facets) {
    if (facet.number >= first_declared_number) {
      missing.push_back(facet.facet().name);
      continue;
    }
    auto others = under == Under::whole_filter ? filter : filter.without(facet.number);
    out.facets.push_back(
        count(counts, others, facet.number == language_number ? language_facet : rating_facet));
  }
  if (!missing.empty()) out.missing = unlisted(missing);
  return out;
}

std::string uncounted(const Filter& filter) {
  std::vector<std::string> names;
  for (const auto& clause : filter.clauses) {
    bool language = clause.number == language_number;
    names.push_back(language ? "the exclusion of languages" : clause.name);
  }
  return unlisted(names);
}

}  // namespace quire::lists
