#include "page_index/sql/list_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "page_index/sql/values.h"

namespace quire::sql {
namespace {

// Sorting so few ids is cheaper than a query for the length of the whole product.
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

std::uint64_t sum(std::span<const std::uint64_t> lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

std::string all_of(std::span<const std::string> queries) {
  return fmt::format("{}", fmt::join(queries, " UNION ALL "));
}

// The rows of all queries. Each row has a number and a value.
template <class Value>
std::vector<std::tuple<long long, Value>> rows_of_each(Connection& connection,
                                                       std::span<const std::string> queries) {
  std::vector<std::tuple<long long, Value>> rows;
  for (; !queries.empty(); queries = queries.subspan(std::min(max_terms, queries.size()))) {
    auto some = queries.first(std::min(max_terms, queries.size()));
    auto found = connection.rows<long long, Value>(all_of(some));
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
  auto end = [&](const char* which) {
    return fmt::format("COALESCE((SELECT {}(id) FROM {} WHERE product = {}), X'')", which,
                       tables.comments(), product_);
  };
  auto found = connection_.rows<std::string, long long, long long, std::string, std::string>(
      fmt::format("SELECT language, rating, comments, {}, {} FROM {} WHERE product = {}",
                  end("MIN"), end("MAX"), tables.counts(), product_));
  extent_.emplace();
  for (const auto& [language, rating, comments, oldest, newest] : found) {
    extent_->counts[cell_of(language, rating)] = static_cast<std::uint64_t>(comments);
    extent_->oldest = id_of(oldest);
    extent_->newest = id_of(newest);
  }
  return *extent_;
}

std::uint64_t ListReader::length(const Cell& list) {
  std::uint64_t sum = 0;
  for (const auto& [cell, comments] : extent().counts) {
    if (covers(list, cell)) sum += comments;
  }
  return sum;
}

std::string ListReader::rows_of(const Cell& list) const {
  auto table = connection_.dialect().along(connection_.tables(), index_of(list));
  return fmt::format("FROM {} WHERE product = {}{}", table, product_, conditions(list));
}

std::vector<std::uint64_t> ListReader::lengths(std::span<const Cell> lists) {
  std::vector<std::uint64_t> lengths;
  for (const auto& list : lists) lengths.push_back(length(list));
  return lengths;
}

std::vector<std::vector<Ulid>> ListReader::slices(std::span<const RankRange> ranges) {
  std::vector<std::vector<Ulid>> slices(ranges.size());
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto& [list, from, count] = ranges[i];
    auto all = length(list);
    if (from >= all || count == 0) continue;
    auto here = std::min<std::uint64_t>(count, all - from);
    auto after = all - from - here;
    queries.push_back(
        fmt::format("SELECT * FROM (SELECT {} AS slice, id {} {} LIMIT {} OFFSET {}) "
                    "AS s{}",
                    i, rows_of(list), from <= after ? oldest_first : newest_first, here,
                    std::min(from, after), i));
  }
  for (const auto& [slice, id] : rows_of_each<std::string>(connection_, queries))
    slices.at(static_cast<std::size_t>(slice)).push_back(id_of(id));
  for (auto& slice : slices) std::sort(slice.begin(), slice.end());
  return slices;
}

// Guesses the nearer end by time. The answer is right in any case.
std::vector<std::uint64_t> ListReader::ranks(std::span<const Cell> lists, const Ulid& id) {
  auto lengths = this->lengths(lists);
  const auto& [counts, oldest, newest] = extent();
  bool late = id.ms() > oldest.ms() / 2 + newest.ms() / 2;
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lengths[i] == 0) continue;
    queries.push_back(fmt::format("SELECT {} AS list, COUNT(*) AS ids {} AND id {} {}", i,
                                  rows_of(lists[i]), late ? ">=" : "<", literal(id.view())));
  }
  std::vector<std::uint64_t> ranks(lists.size());
  for (const auto& [list, ids] : rows_of_each<long long>(connection_, queries)) {
    auto i = static_cast<std::size_t>(list);
    auto counted = static_cast<std::uint64_t>(ids);
    if (counted > lengths.at(i)) throw damaged("counts that do not match the comments");
    ranks[i] = late ? lengths[i] - counted : counted;
  }
  return ranks;
}

std::vector<Probe> ListReader::probe(std::span<const Cell> lists, std::span<const Pivot> pivots) {
  std::vector<RankRange> ranges(pivots.size());
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    if (!pivots[i].id) ranges[i] = {lists[pivots[i].list], pivots[i].n, 1};
  }
  auto found = slices(ranges);
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    auto id = pivots[i].id;
    if (!id && !found[i].empty()) id = found[i].front();
    if (id) probes.push_back({*id, ranks(lists, *id)});
  }
  return probes;
}

// Counts from the nearer end by the given lengths, so that comments added meanwhile at the other
// end do not matter.
std::optional<Ulid> ListReader::nth_of_union(std::span<const Cell> lists,
                                             std::span<const std::uint64_t> lengths,
                                             std::uint64_t n) {
  auto all = sum(lengths);
  if (n >= all) return {};
  auto after = all - 1 - n;
  const char* order = n <= after ? oldest_first : newest_first;
  auto before = std::min(n, after);
  bool filter = lists.size() > max_terms || filtering_is_cheaper(lengths, before + 1);
  auto ids = filter ? filtered(lists) : gathered(lists, order, before + 1);
  auto found =
      connection_.rows<std::string>(fmt::format("{} {} LIMIT 1 OFFSET {}", ids, order, before));
  if (found.empty()) return {};
  return id_of(std::get<0>(found.front()));
}

// Where the database sorts the union as a whole, takes no more of each list than may be needed.
std::string ListReader::gathered(std::span<const Cell> lists, const char* order,
                                 std::uint64_t max) const {
  bool whole = lists.size() == 1 || connection_.dialect().merges;
  std::vector<std::string> queries;
  for (const auto& list : lists) {
    auto ids = "SELECT id " + rows_of(list);
    queries.push_back(whole ? ids : fmt::format("({} {} LIMIT {})", ids, order, max));
  }
  return all_of(queries);
}

// Puts the languages of the same rating together, because SQLite limits the number of conditions,
// but not of values.
std::string ListReader::filtered(std::span<const Cell> lists) const {
  std::vector<std::string> each;
  std::map<FacetValue, std::vector<std::string>> languages;  // by rating
  for (const auto& list : lists) {
    auto language = list[language_facet];
    if (language == any) each.push_back("1" + conditions(list));
    if (language != any)
      languages[list[rating_facet]].push_back(literal_of(language_facet, language));
  }
  for (const auto& [rating, some] : languages)
    each.push_back(fmt::format("{} IN ({}){}", list_facets[language_facet].name,
                               fmt::join(some, ", "), conditions({any, rating})));
  return fmt::format("SELECT id {} AND ({})", rows_of(Cell{}), fmt::join(each, " OR "));
}

// Measured at any depth: sorting a row costs about twice as much as skipping one.
bool ListReader::filtering_is_cheaper(std::span<const std::uint64_t> lengths, std::uint64_t max) {
  if (lengths.size() == 1 || connection_.dialect().merges || max < few) return false;
  std::uint64_t sorted = 0;
  for (auto length : lengths) sorted += std::min(length, max);
  double passed = static_cast<double>(max) * static_cast<double>(length(Cell{})) /
                  static_cast<double>(sum(lengths));
  return passed < 2 * static_cast<double>(sorted);
}

}  // namespace quire::sql
