#include "page_index/sql/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "page_index/sql/block_writer.h"
#include "page_index/sql/tables.h"

namespace quire::sql {

namespace {

// What the blocks of a level should count, by the comments or by the blocks below.
class Check {
 public:
  Check(Connection& connection, const std::string& product)
      : connection_(connection), product_(literal(product)) {}

  std::vector<std::string> flaws() {
    auto tops = connection_.rows<long long>(
        fmt::format("SELECT COALESCE(MAX(level), -1) FROM {} WHERE product = {}",
                    connection_.tables().blocks(), product_));
    try {
      if (auto top = std::get<0>(tops.at(0)); top >= 0) compare_levels(static_cast<int>(top));
    } catch (const Unusable&) {
      flaws_.push_back("A block or a count cannot be read.");
    }
    return std::move(flaws_);
  }

 private:
  static constexpr std::size_t max_flaws = 3;

  void expect(int level, const Block& block, const CellCounts& counts) {
    if (block.counts == counts || flaws_.size() >= max_flaws) return;
    flaws_.push_back(fmt::format("The block from {} of level {} counts {} comments, and has {}.",
                                 block.first.text(), level, sum_of(block.counts), sum_of(counts)));
  }

  // Each level with the one below, and the highest with the counts of the product.
  void compare_levels(int top) {
    std::vector<Block> below;
    for (int level = 0; level <= top && flaws_.size() < max_flaws; ++level) {
      auto blocks = read_blocks(connection_, product_, level, {});
      if (blocks.empty()) {
        flaws_.push_back(
            fmt::format("It has blocks of level {}, and none of level {}.", top, level));
        return;
      }
      if (level == 0) compare_with_comments(blocks);
      if (level > 0) compare(level, blocks, below);
      below = std::move(blocks);
    }
    CellCounts all;
    for (const auto& block : below) add(all, block.counts);
    if (all != read_counts() && flaws_.size() < max_flaws)
      flaws_.push_back("Its blocks count other comments than its counts.");
  }

  CellCounts read_counts() {
    CellCounts counts;
    auto query = fmt::format("SELECT language, rating, comments FROM {} WHERE product = {}",
                             connection_.tables().counts(), product_);
    for (const auto& [language, rating, comments] :
         connection_.rows<std::string, long long, long long>(query))
      counts[cell_of(language, rating)] = static_cast<std::uint64_t>(comments);
    return counts;
  }

  void compare_with_comments(const std::vector<Block>& blocks) {
    if (blocks.front().first != Ulid{})
      expect(0, {}, count_comments(connection_, product_, {{}, blocks.front().first}));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      IdRange ids{blocks[i].first, {}};
      if (i + 1 < blocks.size()) ids.high = blocks[i + 1].first;
      expect(0, blocks[i], count_comments(connection_, product_, ids));
    }
  }

  void compare(int level, const std::vector<Block>& blocks, const std::vector<Block>& below) {
    auto each = below.begin();
    auto sum_until = [&](const Ulid* end) {
      CellCounts counts;
      for (; each != below.end() && (!end || each->first < *end); ++each) add(counts, each->counts);
      return counts;
    };
    expect(level, {}, sum_until(&blocks.front().first));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      bool last = i + 1 == blocks.size();
      expect(level, blocks[i], sum_until(last ? nullptr : &blocks[i + 1].first));
    }
  }

  Connection& connection_;
  std::string product_;
  std::vector<std::string> flaws_;
};

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

std::vector<std::string> flaws_of_blocks(Connection& connection, const std::string& product) {
  Transaction moment(connection, connection.dialect().begin_to_read);
  return Check(connection, product).flaws();
}

std::uint64_t sum_of(const CellCounts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [cell, comments] : counts) sum += comments;
  return sum;
}

void add(CellCounts& to, const CellCounts& counts) {
  for (const auto& [cell, comments] : counts) to[cell] += comments;
}

std::string condition(const IdRange& ids) {
  std::string text;
  if (ids.low != Ulid{}) text += " AND id >= " + literal(ids.low.view());
  if (ids.high) text += " AND id < " + literal(ids.high->view());
  return text;
}

std::string text_of(const CellCounts& counts) {
  std::string text;
  for (const auto& [cell, comments] : counts) {
    text += fmt::format("{}{}/{}={}", text.empty() ? "" : ",",
                        list_facets[language_facet].text(cell[language_facet]), cell[rating_facet],
                        comments);
  }
  return text;
}

// A question reads thousands of these counts. They are sorted, so neighbours share their language.
CellCounts parse_counts(std::string_view text) {
  CellCounts counts;
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

CellCounts count_comments(Connection& connection, const std::string& product, const IdRange& ids) {
  auto query = fmt::format(
      "SELECT language, rating, COUNT(*) FROM {} WHERE product = {}{} GROUP BY language, rating",
      connection.dialect().along(connection.tables(), ""), product, condition(ids));
  CellCounts counts;
  for (const auto& [language, rating, comments] :
       connection.rows<std::string, long long, long long>(query))
    counts[cell_of(language, rating)] = static_cast<std::uint64_t>(comments);
  return counts;
}

}  // namespace quire::sql
