#include "page_index/sql/list_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "page_index/sql/tables.h"

namespace quire::sql {
namespace {

// Walking past so few ids is cheaper than looking for their block.
constexpr std::uint64_t few = 256;
// Terms of one UNION ALL: SQLite takes 500. More lists take several queries.
constexpr std::size_t max_terms = 250;
constexpr const char* oldest_first = "ORDER BY id";
constexpr const char* newest_first = "ORDER BY id DESC";

// The name in the schema, by whether the list has a language and a rating.
std::string_view index_of(const Cell& list) {
  constexpr std::string_view names[2][2] = {{"", "by_rating"},
                                            {"by_language", "by_language_and_rating"}};
  return names[list[language_facet] != any][list[rating_facet] != any];
}

std::string conditions(const Cell& list) {
  std::string text;
  for (auto facet : {language_facet, rating_facet}) {
    if (list[facet] != any)
      text += fmt::format(" AND {} = {}", list_facets[facet].name, literal_of(facet, list[facet]));
  }
  return text;
}

std::uint64_t length_of(const Cell& list, const CellCounts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [cell, comments] : counts) {
    if (covers(list, cell)) sum += comments;
  }
  return sum;
}

// Disjoint lists, to count many blocks by.
class Cover {
 public:
  explicit Cover(std::span<const Cell> lists) : lists_(lists.begin(), lists.end()) {}

  std::uint64_t sum(const CellCounts& counts) const {
    std::uint64_t sum = 0;
    for (const auto& [cell, comments] : counts) {
      if (holds(cell)) sum += comments;
    }
    return sum;
  }

 private:
  bool holds(const Cell& cell) const {
    const auto& [language, rating] = cell;
    return lists_.contains(cell) || lists_.contains({language, any}) ||
           lists_.contains({any, rating}) || lists_.contains({any, any});
  }

  std::set<Cell> lists_;
};

// The rows of all queries. Each row has a number and a value.
template <class Value>
std::vector<std::tuple<long long, Value>> rows_of_each(Connection& connection,
                                                       std::span<const std::string> queries) {
  std::vector<std::tuple<long long, Value>> rows;
  for (; !queries.empty(); queries = queries.subspan(std::min(max_terms, queries.size()))) {
    auto some = queries.first(std::min(max_terms, queries.size()));
    auto found =
        connection.rows<long long, Value>(fmt::format("{}", fmt::join(some, " UNION ALL ")));
    std::move(found.begin(), found.end(), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace

ListReader::ListReader(Connection& connection, std::string product)
    : connection_(connection), product_(literal(product)) {}

const ListReader::Extent& ListReader::extent() {
  if (extent_) return *extent_;
  transaction_.emplace(connection_, connection_.dialect().begin_to_read);
  const auto& tables = connection_.tables();
  auto found = connection_.rows<std::string, long long, long long, long long, std::string>(
      fmt::format("SELECT language, rating, comments, "
                  "COALESCE((SELECT MAX(level) FROM {0} WHERE product = {2}), -1), "
                  "COALESCE((SELECT first_id FROM {0} WHERE product = {2} AND level = 0 "
                  "ORDER BY first_id DESC LIMIT 1), "
                  "X'') FROM {1} WHERE product = {2}",
                  tables.blocks(), tables.counts(), product_));
  extent_ = Extent{};
  for (const auto& [language, rating, comments, top, newest_block] : found) {
    extent_->counts[cell_of(language, rating)] = static_cast<std::uint64_t>(comments);
    extent_->top = static_cast<int>(top);
    if (top >= 0) extent_->newest_block = id_of(newest_block);
  }
  return *extent_;
}

std::uint64_t ListReader::length(const Cell& list) {
  return length_of(list, extent().counts);
}

std::string ListReader::rows_of(const Cell& list) const {
  auto table = connection_.dialect().along(connection_.tables(), index_of(list));
  return fmt::format("FROM {} WHERE product = {}{}", table, product_, conditions(list));
}

// Puts the languages of the same rating together, because SQLite limits the number of conditions,
// but not of values.
std::string ListReader::rows_of(std::span<const Cell> lists) const {
  if (lists.size() == 1) return rows_of(lists.front());
  std::vector<std::string> each;
  std::map<FacetValue, std::vector<std::string>> languages;  // by rating
  for (const auto& list : lists) {
    auto language = list[language_facet];
    if (language == any) each.push_back("1 = 1" + conditions(list));
    if (language != any)
      languages[list[rating_facet]].push_back(literal_of(language_facet, language));
  }
  for (const auto& [rating, some] : languages)
    each.push_back(fmt::format("{} IN ({}){}", list_facets[language_facet].name,
                               fmt::join(some, ", "), conditions({any, rating})));
  return fmt::format("{} AND ({})", rows_of(Cell{}), fmt::join(each, " OR "));
}

// Looks at sums alone, which is quick: what else may differ, quire verify finds.
const std::vector<Block>& ListReader::blocks(int level, const IdRange& ids,
                                             const CellCounts& above) {
  auto [found, fresh] = blocks_.try_emplace({level, ids.low});
  auto& blocks = found->second;
  if (!fresh) return blocks;
  blocks = read_blocks(connection_, product_, level, ids);
  std::uint64_t sum = 0;
  for (const auto& block : blocks) sum += sum_of(block.counts);
  if (sum != sum_of(above)) throw damaged("blocks that do not match the counts");
  return blocks;
}

ListReader::Stretch ListReader::place(std::span<const Cell> lists, std::uint64_t n,
                                      std::uint64_t count) {
  const Cover cover(lists);
  Stretch place{{}, n, count};
  const auto* above = &extent().counts;
  for (int level = extent().top; level >= 0; --level) {
    const auto& blocks = this->blocks(level, place.ids, *above);
    std::size_t at = 0;
    for (; at < blocks.size(); ++at) {
      place.count = cover.sum(blocks[at].counts);
      if (place.skip < place.count) break;
      place.skip -= place.count;
    }
    if (at == blocks.size()) throw damaged("blocks that do not match the counts");
    above = &blocks[at].counts;
    place.ids.low = blocks[at].first;
    if (at + 1 < blocks.size()) place.ids.high = blocks[at + 1].first;
  }
  return place;
}

// The comments that are older than `id`. Pages are mostly new ones, so the newest block is counted
// from its end.
CellCounts ListReader::before(const Ulid& id) {
  const auto& [all, top, newest_block] = extent();
  CellCounts before;
  if (id >= newest_block) {
    before = all;
    for (const auto& [cell, newer] : count_comments(connection_, product_, {id, {}})) {
      auto count = before.find(cell);
      if (count == before.end() || count->second < newer)
        throw damaged("counts that do not match the comments");
      count->second -= newer;
    }
    return before;
  }
  IdRange ids;
  const auto* above = &all;
  for (int level = top; level >= 0; --level) {
    const auto& blocks = this->blocks(level, ids, *above);
    auto after =
        std::upper_bound(blocks.begin(), blocks.end(), id,
                         [](const Ulid& id, const Block& block) { return id < block.first; });
    if (after == blocks.begin()) return before;
    auto at = std::prev(after);
    for (auto block = blocks.begin(); block != at; ++block) add(before, block->counts);
    above = &at->counts;
    ids = {at->first, after == blocks.end() ? ids.high : after->first};
  }
  add(before, count_comments(connection_, product_, {ids.low, id}));
  return before;
}

std::vector<std::uint64_t> ListReader::lengths(std::span<const Cell> lists) {
  std::vector<std::uint64_t> lengths;
  for (const auto& list : lists) lengths.push_back(length(list));
  return lengths;
}

// The end of a statement for the ids of a range, which is not empty.
std::string ListReader::slice(const RankRange& range, std::uint64_t length) {
  const auto& [list, from, count] = range;
  auto here = std::min<std::uint64_t>(count, length - from);
  auto after = length - from - here;
  auto query = [&](const std::string& rows, const char* order, std::uint64_t offset) {
    return fmt::format("{} {} LIMIT {} OFFSET {}", rows, order, here, offset);
  };
  if (extent().top < 0 || std::min(from, after) < few) {
    bool old = from <= after;
    return query(rows_of(list), old ? oldest_first : newest_first, std::min(from, after));
  }
  auto place = this->place({&list, 1}, from, length);
  return query(rows_of(list) + condition({place.ids.low, {}}), oldest_first, place.skip);
}

std::vector<std::vector<Ulid>> ListReader::slices(std::span<const RankRange> ranges) {
  std::vector<std::vector<Ulid>> slices(ranges.size());
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto all = length(ranges[i].list);
    if (ranges[i].from >= all || ranges[i].count == 0) continue;
    queries.push_back(fmt::format("SELECT * FROM (SELECT {0} AS slice, id {1}) AS s{0}", i,
                                  slice(ranges[i], all)));
  }
  for (const auto& [slice, id] : rows_of_each<std::string>(connection_, queries))
    slices.at(static_cast<std::size_t>(slice)).push_back(id_of(id));
  for (auto& slice : slices) std::sort(slice.begin(), slice.end());
  return slices;
}

std::vector<std::uint64_t> ListReader::ranks(std::span<const Cell> lists, const Ulid& id) {
  auto before = this->before(id);
  std::vector<std::uint64_t> ranks;
  for (const auto& list : lists) ranks.push_back(length_of(list, before));
  return ranks;
}

// Counts from the nearer end by the given length, so that comments added meanwhile at the other end
// do not matter. Leaves out lists that are empty, so that one list that is not has its own index.
std::optional<Ulid> ListReader::nth_of_union(std::vector<Cell> lists, std::uint64_t length,
                                             std::uint64_t n) {
  std::erase_if(lists, [&](const Cell& list) { return this->length(list) == 0; });
  auto lengths = this->lengths(lists);
  auto all = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  if (n >= length) return {};
  if (auto after = length - 1 - n; after < n) n = all - 1 - after;
  if (n >= all) return {};
  Stretch place{{}, n, all};
  bool at_an_end = lists.size() == 1 && std::min(n, all - 1 - n) < few;
  if (!at_an_end) place = this->place(lists, n, all);
  auto after = place.count - 1 - place.skip;
  auto found = connection_.rows<std::string>(
      fmt::format("SELECT id {}{} {} LIMIT 1 OFFSET {}", rows_of(lists), condition(place.ids),
                  place.skip <= after ? oldest_first : newest_first, std::min(place.skip, after)));
  if (found.empty()) return {};
  return id_of(std::get<0>(found.front()));
}

}  // namespace quire::sql
