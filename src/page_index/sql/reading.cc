#include "page_index/sql/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "page_index/sql/values.h"

namespace quire::sql {
namespace {

// Ids that are sorted before anything is asked about what else there is.
constexpr std::uint64_t few = 256;
// Of one UNION ALL, of which SQLite takes 500. Who asks for more lists asks several times.
constexpr std::size_t most_terms = 250;
constexpr const char* oldest_first = "ORDER BY id";
constexpr const char* newest_first = "ORDER BY id DESC";

// As the schema names them, by whether language and rating are in the list's key.
std::string_view index_of(const Cell& list) {
  constexpr std::string_view names[2][2] = {{"", "by_rating"},
                                            {"by_language", "by_language_and_rating"}};
  return names[list[language_facet] != any][list[rating_facet] != any];
}

std::string conditions(const Cell& list) {
  std::string text;
  for (auto facet : {language_facet, rating_facet}) {
    if (list[facet] != any)
      text += fmt::format(" AND {} = {}", facets[facet].name, literal_of(facet, list[facet]));
  }
  return text;
}

std::uint64_t sum(std::span<const std::uint64_t> lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

std::string all_of(std::span<const std::string> queries) {
  return fmt::format("{}", fmt::join(queries, " UNION ALL "));
}

// Of all the queries, each of which gives a number and something else.
template <class Value>
std::vector<std::tuple<long long, Value>> rows_of_each(Connection& connection,
                                                       std::span<const std::string> queries) {
  std::vector<std::tuple<long long, Value>> rows;
  for (; !queries.empty(); queries = queries.subspan(std::min(most_terms, queries.size()))) {
    auto some = queries.first(std::min(most_terms, queries.size()));
    auto found = connection.rows<long long, Value>(all_of(some));
    std::move(found.begin(), found.end(), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace

Reading::Reading(Connection& connection, std::string product)
    : connection_(connection), product_(literal(product)) {}

const Reading::Extent& Reading::extent() {
  if (extent_) return *extent_;
  moment_.emplace(connection_, connection_.dialect().begin_to_read);
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

std::uint64_t Reading::length(const Cell& list) {
  std::uint64_t sum = 0;
  for (const auto& [cell, comments] : extent().counts) {
    if (covers(list, cell)) sum += comments;
  }
  return sum;
}

std::string Reading::rows_of(const Cell& list) const {
  auto table = connection_.dialect().along(connection_.tables(), index_of(list));
  return fmt::format("FROM {} WHERE product = {}{}", table, product_, conditions(list));
}

std::vector<std::uint64_t> Reading::lengths(std::span<const Cell> lists) {
  std::vector<std::uint64_t> lengths;
  for (const auto& list : lists) lengths.push_back(length(list));
  return lengths;
}

std::vector<std::vector<Ulid>> Reading::slices(std::span<const RankRange> ranges) {
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

// Which end is closer is guessed by time; the answer is right in any case.
std::vector<std::uint64_t> Reading::ranks(std::span<const Cell> lists, const Ulid& id) {
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
    if (counted > lengths.at(i)) throw damaged("counts that are not the comments'");
    ranks[i] = late ? lengths[i] - counted : counted;
  }
  return ranks;
}

std::vector<Probe> Reading::probe(std::span<const Cell> lists, std::span<const Pivot> pivots) {
  std::vector<RankRange> places;
  for (const auto& pivot : pivots)
    places.push_back({lists[pivot.list], pivot.n, pivot.id ? std::size_t{0} : 1});
  auto found = slices(places);
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    auto id = pivots[i].id;
    if (!id && !found[i].empty()) id = found[i].front();
    if (id) probes.push_back({*id, ranks(lists, *id)});
  }
  return probes;
}

// Counting from the end of lists that were just so long makes newcomers at the other end harmless.
std::optional<Ulid> Reading::nth_of_union(std::span<const Cell> lists,
                                          std::span<const std::uint64_t> lengths, std::uint64_t n) {
  auto all = sum(lengths);
  if (n >= all) return {};
  auto after = all - 1 - n;
  const char* order = n <= after ? oldest_first : newest_first;
  auto before = std::min(n, after);
  bool filter = lists.size() > most_terms || filtering_is_cheaper(lengths, before + 1);
  auto ids = filter ? filtered(lists) : gathered(lists, order, before + 1);
  auto found =
      connection_.rows<std::string>(fmt::format("{} {} LIMIT 1 OFFSET {}", ids, order, before));
  if (found.empty()) return {};
  return id_of(std::get<0>(found.front()));
}

// Where a union is sorted as a whole, no more of each list goes into it than may be wanted.
std::string Reading::gathered(std::span<const Cell> lists, const char* order,
                              std::uint64_t most) const {
  bool whole = lists.size() == 1 || connection_.dialect().merges;
  std::vector<std::string> queries;
  for (const auto& list : lists) {
    auto ids = "SELECT id " + rows_of(list);
    queries.push_back(whole ? ids : fmt::format("({} {} LIMIT {})", ids, order, most));
  }
  return all_of(queries);
}

// Languages of the same rating are put together: SQLite takes only so many conditions, but any
// number of values.
std::string Reading::filtered(std::span<const Cell> lists) const {
  std::vector<std::string> each;
  std::map<FacetValue, std::vector<std::string>> languages;  // by rating
  for (const auto& list : lists) {
    auto language = list[language_facet];
    if (language == any) each.push_back("1" + conditions(list));
    if (language != any)
      languages[list[rating_facet]].push_back(literal_of(language_facet, language));
  }
  for (const auto& [rating, some] : languages)
    each.push_back(fmt::format("{} IN ({}){}", facets[language_facet].name, fmt::join(some, ", "),
                               conditions({any, rating})));
  return fmt::format("SELECT id {} AND ({})", rows_of(Cell{}), fmt::join(each, " OR "));
}

// Measured, at any depth: a row that is sorted costs about twice what one costs that is passed by.
bool Reading::filtering_is_cheaper(std::span<const std::uint64_t> lengths, std::uint64_t most) {
  if (lengths.size() == 1 || connection_.dialect().merges || most < few) return false;
  std::uint64_t sorted = 0;
  for (auto length : lengths) sorted += std::min(length, most);
  double passed = static_cast<double>(most) * static_cast<double>(length(Cell{})) /
                  static_cast<double>(sum(lengths));
  return passed < 2 * static_cast<double>(sorted);
}

}  // namespace quire::sql
