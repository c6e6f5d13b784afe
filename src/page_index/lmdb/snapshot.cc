#include "page_index/lmdb/snapshot.h"

#include <stdexcept>

namespace quire::page_index {

Snapshot::Snapshot(const IndexDatabases& databases)
    : db_(databases), txn_(*databases.environment), ranked_(txn_.get(), databases.lists) {}

std::string_view Snapshot::meta(std::string_view key) const {
  auto value = txn_.find(db_.meta, key);
  if (!value) throw std::runtime_error("the state is damaged");
  return *value;
}

change::State Snapshot::state() {
  change::State state{decode_phase(meta("phase")), std::string(meta("epoch")),
                      std::string(meta("stream"))};
  lmdb::Cursor cursor(txn_.get(), db_.marks);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT))
    state.marks.emplace(cursor.key(), decode_mark(cursor.value()));
  return state;
}

std::vector<std::string> Snapshot::products(std::string_view after, std::size_t limit) {
  std::vector<std::string> products;
  lmdb::Cursor cursor(txn_.get(), db_.products);
  bool there = after.empty() ? cursor.move(MDB_FIRST) : cursor.seek(after, MDB_SET_RANGE);
  if (there && cursor.key() == after) there = cursor.move(MDB_NEXT);
  for (; there && products.size() < limit; there = cursor.move(MDB_NEXT))
    products.emplace_back(cursor.key());
  return products;
}

std::vector<FacetValue> Snapshot::languages(std::string_view name) {
  std::vector<FacetValue> languages;
  if (auto row = product(name)) {
    for (const auto& each : row->languages) languages.push_back(each.language);
  }
  return languages;
}

std::optional<ProductLists> Snapshot::product(std::string_view name) const {
  auto bytes = txn_.find(db_.products, name);
  if (!bytes) return {};
  return decode_product(*bytes);
}

Snapshot::Numbers Snapshot::numbers(std::string_view name, std::span<const Cell> lists) const {
  Numbers numbers(lists.size());
  if (auto row = product(name)) {
    for (std::size_t i = 0; i < lists.size(); ++i) numbers[i] = row->list_number(lists[i]);
  }
  return numbers;
}

std::vector<std::uint64_t> Snapshot::ranks_of(const Numbers& lists, const Ulid& id) {
  std::vector<std::uint64_t> ranks;
  ranks.reserve(lists.size());
  for (const auto& list : lists) ranks.push_back(list ? ranked_.rank(*list, id) : 0);
  return ranks;
}

Awaitable<Result<std::vector<std::uint64_t>>> Snapshot::lengths(std::string_view product,
                                                                std::span<const Cell> lists) {
  std::vector<std::uint64_t> lengths;
  for (const auto& list : numbers(product, lists))
    lengths.push_back(list ? ranked_.length(*list) : 0);
  co_return lengths;
}

Awaitable<Result<std::vector<std::vector<Ulid>>>> Snapshot::slices(
    std::string_view name, std::span<const RankRange> ranges) {
  std::vector<std::vector<Ulid>> slices;
  auto row = product(name);
  for (const auto& [list, from, count] : ranges) {
    auto number = row ? row->list_number(list) : std::nullopt;
    slices.push_back(number ? ranked_.slice(*number, from, count) : std::vector<Ulid>());
  }
  co_return slices;
}

Awaitable<Result<std::vector<Probe>>> Snapshot::probe(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      std::span<const Pivot> pivots) {
  std::vector<Probe> probes;
  auto numbered = numbers(product, lists);
  for (auto [list, n, id] : pivots) {
    if (!id && numbered[list]) id = ranked_.nth(*numbered[list], n);
    if (id) probes.push_back({*id, ranks_of(numbered, *id)});
  }
  co_return probes;
}

Awaitable<Result<FoundNth>> Snapshot::nth_of_union(std::string_view product,
                                                   std::span<const Cell> lists,
                                                   std::span<const std::uint64_t>,
                                                   std::uint64_t n) {
  auto now = co_await lengths(product, lists);
  co_return co_await Ranks::nth_of_union(product, lists, *now, n);
}

}  // namespace quire::page_index
