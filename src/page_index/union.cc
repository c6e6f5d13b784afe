#include "page_index/union.h"

#include <numeric>

#include "page_index/search.h"

namespace quire {
namespace {

constexpr int max_rounds = 200;  // lists that do not change take fewer

}  // namespace

Error changes_too_fast() {
  return {ErrorCode::unavailable,
          "The page index changes too fast to number this page. Try again."};
}

Awaitable<Result<std::vector<std::uint64_t>>> Ranks::ranks(std::string_view product,
                                                           std::span<const Cell> lists,
                                                           const Ulid& id) {
  const Pivot pivot{.id = id};
  auto probes = co_await probe(product, lists, std::span(&pivot, 1));
  if (!probes) co_return probes.error();
  if (probes->size() != 1) co_return changes_too_fast();
  co_return std::move(probes->front().ranks);
}

Awaitable<Result<FoundNth>> Ranks::nth_of_union(std::string_view product,
                                                std::span<const Cell> lists,
                                                std::span<const std::uint64_t> lengths,
                                                std::uint64_t n) {
  UnionSearch search({lengths.begin(), lengths.end()}, n);
  int rounds = 0;
  for (; !search.lost() && !search.narrow(); ++rounds) {
    if (rounds == max_rounds) co_return changes_too_fast();
    auto pivots = search.pivots();
    auto probes = co_await probe(product, lists, pivots);
    if (!probes) co_return probes.error();
    if (probes->size() != pivots.size()) co_return changes_too_fast();
    search.feed(pivots, *probes);
    if (search.found()) co_return FoundNth{*search.found(), rounds + 1};
  }
  if (search.lost()) co_return changes_too_fast();
  std::vector<RankRange> ranges;
  for (const auto& rest : search.rest())
    ranges.push_back({lists[rest.list], rest.from, rest.count});
  auto ids = co_await slices(product, ranges);
  if (!ids) co_return ids.error();
  auto found = search.finish(*ids);
  if (!found) co_return changes_too_fast();
  co_return FoundNth{*found, rounds + 1};
}

Awaitable<Result<std::uint64_t>> rank_in_union(Ranks& ranks, std::string_view product,
                                               std::span<const Cell> lists, const Ulid& id) {
  auto each = co_await ranks.ranks(product, lists, id);
  if (!each) co_return each.error();
  co_return std::accumulate(each->begin(), each->end(), std::uint64_t{0});
}

}  // namespace quire
