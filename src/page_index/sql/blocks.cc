#include "page_index/sql/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "page_index/sql/values.h"

namespace quire::sql {
namespace {

Unusable invalid_count() {
  return damaged("a block with an invalid count");
}

std::uint64_t take_number(std::string_view& text) {
  std::uint64_t number = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || number == 0) throw invalid_count();
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

void take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) throw invalid_count();
  text.remove_prefix(1);
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

// A question reads thousands of these counts. They are sorted, so neighbours share their language.
Counts parse_counts(std::string_view text) {
  Counts counts;
  std::string_view known;
  Cell cell{};
  while (!text.empty()) {
    auto language = text.substr(0, text.find('/'));
    if (counts.empty() || language != known) cell[language_facet] = language_of(language);
    known = language;
    text.remove_prefix(language.size());
    take(text, '/');
    cell[rating_facet] = rating_of(static_cast<long long>(take_number(text)));
    take(text, '=');
    counts.insert_or_assign(counts.end(), cell, take_number(text));
    if (text.empty()) break;
    take(text, ',');
    if (text.empty()) throw invalid_count();
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
