#include "page_index/sql/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "page_index/sql/values.h"

namespace quire::sql {
namespace {

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size() || number == 0)
    throw damaged("a block with an invalid count");
  return number;
}

}  // namespace

std::uint64_t sum_of(const Counts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [cell, comments] : counts) sum += comments;
  return sum;
}

void add(Counts& to, const Counts& counts) {
  for (const auto& [cell, comments] : counts) to[cell] += comments;
}

std::string condition(const IdRange& ids) {
  std::string text;
  if (ids.low != Ulid{}) text += " AND id >= " + literal(ids.low.view());
  if (ids.high) text += " AND id < " + literal(ids.high->view());
  return text;
}

std::string text_of(const Counts& counts) {
  std::string text;
  for (const auto& [cell, comments] : counts) {
    text += fmt::format("{}{}/{}={}", text.empty() ? "" : ",",
                        list_facets[language_facet].text(cell[language_facet]), cell[rating_facet],
                        comments);
  }
  return text;
}

Counts parse_counts(std::string_view text) {
  Counts counts;
  while (!text.empty()) {
    auto one = text.substr(0, text.find(','));
    text.remove_prefix(one.size());
    if (text.size() == 1) throw damaged("a block with an invalid count");
    if (!text.empty()) text.remove_prefix(1);
    auto slash = one.find('/'), equals = one.find('=');
    if (slash == one.npos || equals == one.npos || equals < slash)
      throw damaged("a block with an invalid count");
    auto stars = number_of(one.substr(slash + 1, equals - slash - 1));
    auto cell = cell_of(std::string(one.substr(0, slash)), static_cast<long long>(stars));
    counts[cell] = number_of(one.substr(equals + 1));
  }
  return counts;
}

std::vector<Block> read_blocks(Connection& connection, const std::string& product, int level,
                               const IdRange& ids) {
  auto query = fmt::format("SELECT first_id, cells FROM {} WHERE product = {} AND level = {}",
                           connection.tables().blocks(), product, level);
  if (ids.low != Ulid{}) query += " AND first_id >= " + literal(ids.low.view());
  if (ids.high) query += " AND first_id < " + literal(ids.high->view());
  std::vector<Block> blocks;
  for (const auto& [first, cells] :
       connection.rows<std::string, std::string>(query + " ORDER BY first_id"))
    blocks.push_back({id_of(first), parse_counts(cells)});
  return blocks;
}

Counts count_comments(Connection& connection, const std::string& product, const IdRange& ids) {
  auto query = fmt::format(
      "SELECT language, rating, COUNT(*) FROM {} WHERE product = {}{} GROUP BY language, rating",
      connection.dialect().along(connection.tables(), ""), product, condition(ids));
  Counts counts;
  for (const auto& [language, rating, comments] :
       connection.rows<std::string, long long, long long>(query))
    counts[cell_of(language, rating)] = static_cast<std::uint64_t>(comments);
  return counts;
}

}  // namespace quire::sql
