// Questions by rank to the embedded store. Its lists are ranked sets.
#include "loop/turn.h"
#include "store/embedded/view.h"

namespace quire::embedded {

lmdb::RankedReader& LmdbView::ranked() {
  if (!ranked_) ranked_.emplace(txn_.get(), db_.lists);
  return *ranked_;
}

std::optional<std::uint32_t> LmdbView::list_number(std::string_view name, const Cell& list) {
  auto row = product(name);
  return row && *row ? (*row)->list_number(list) : std::nullopt;
}

std::vector<std::uint64_t> LmdbView::ranks_of(std::string_view name, std::span<const Cell> lists,
                                              const Ulid& id) {
  std::vector<std::uint64_t> ranks;
  ranks.reserve(lists.size());
  for (const Cell& list : lists) {
    auto number = list_number(name, list);
    ranks.push_back(number ? ranked().rank(*number, id) : 0);
  }
  return ranks;
}

Awaitable<Result<std::vector<std::uint64_t>>> LmdbView::lengths(std::string_view name,
                                                                std::span<const Cell> lists) {
  std::vector<std::uint64_t> lengths;
  auto row = product(name);
  if (!row) co_return row.error();
  Counts counts = *row ? (*row)->counts() : Counts{};
  for (const Cell& list : lists) lengths.push_back(counts.length(list));
  co_return lengths;
}

Awaitable<Result<std::vector<std::vector<Ulid>>>> LmdbView::slices(
    std::string_view name, std::span<const RankRange> ranges) {
  std::vector<std::vector<Ulid>> slices;
  for (const auto& [list, from, count] : ranges) {
    if (turn_is_over()) co_await next_turn();
    auto number = list_number(name, list);
    slices.push_back(number ? ranked().slice(*number, from, count) : std::vector<Ulid>());
  }
  co_return slices;
}

Awaitable<Result<std::vector<std::uint64_t>>> LmdbView::ranks(std::string_view name,
                                                              std::span<const Cell> lists,
                                                              const Ulid& id) {
  auto ranks = ranks_of(name, lists, id);
  co_return ranks;
}

Awaitable<Result<std::vector<Probe>>> LmdbView::probe(std::string_view name,
                                                      std::span<const Cell> lists,
                                                      std::span<const Pivot> pivots) {
  std::vector<Probe> probes;
  for (auto [list, n, id] : pivots) {
    if (turn_is_over()) co_await next_turn();
    auto number = id ? std::nullopt : list_number(name, lists[list]);
    if (number) id = ranked().nth(*number, n);
    if (id) probes.push_back({*id, ranks_of(name, lists, *id)});
  }
  co_return probes;
}

}  // namespace quire::embedded
