#include "page_index/sql/block_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "page_index/sql/database/connection.h"
#include "page_index/sql/tables.h"

namespace quire::sql {
namespace {

constexpr std::size_t comments_at_once = 50'000;

struct Member {
  Ulid id;
  Cell cell;
};

// Cuts `items` into runs of about `size`, and makes a block of each. The first begins at `low`.
template <class Item, class First, class AddTo>
std::vector<Block> cut(const std::vector<Item>& items, std::size_t size, const Ulid& low,
                       First first, AddTo add_to) {
  std::vector<Block> blocks;
  auto runs = std::max<std::size_t>(1, items.size() / size);
  for (std::size_t run = 0; run < runs; ++run) {
    auto begin = items.size() * run / runs, end = items.size() * (run + 1) / runs;
    Block block{run == 0 ? low : first(items[begin]), {}};
    for (auto i = begin; i < end; ++i) add_to(block.counts, items[i]);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<Block> parents_of(const std::vector<Block>& blocks, std::size_t size, const Ulid& low) {
  return cut(
      blocks, size, low, [](const Block& block) { return block.first; },
      [](CellCounts& counts, const Block& block) { add(counts, block.counts); });
}

void apply(CellCounts& counts, const Move& move) {
  if (move.to) ++counts[*move.to];
  if (!move.from) return;
  auto from = counts.find(*move.from);
  if (from == counts.end()) throw damaged("blocks that do not match the comments");
  if (--from->second == 0) counts.erase(from);
}

// The comments of a product within `ids`, in id order, at most `limit`.
std::vector<Member> members(Connection& connection, const std::string& product, const IdRange& ids,
                            std::size_t limit) {
  auto query = fmt::format(
      "SELECT id, language, rating FROM {} WHERE product = {}{} ORDER BY id LIMIT {}",
      connection.dialect().along(connection.tables(), ""), product, condition(ids), limit);
  std::vector<Member> members;
  for (const auto& [id, language, rating] :
       connection.rows<std::string, std::string, long long>(query))
    members.push_back({id_of(id), cell_of(language, rating)});
  return members;
}

}  // namespace

BlockWriter::BlockWriter(Connection& connection, const std::string& product)
    : connection_(connection), product_(literal(product)) {}

void BlockWriter::build() {
  connection_.execute("DELETE FROM " + connection_.tables().blocks() +
                      " WHERE product = " + product_);
  auto blocks = blocks_of_comments({});
  std::uint64_t comments = 0;
  for (const auto& block : blocks) comments += sum_of(block.counts);
  if (comments <= connection_.block_sizes().max_comments) return;
  keep(0, blocks);
  grow(0, std::move(blocks));
  write();
}

void BlockWriter::move(int top, std::span<const Move> moves) {
  grow(top, update(top, {}, moves));
  write();
}

// The blocks of the level within `ids`, after the moves. They may be too many for one block.
std::vector<Block> BlockWriter::update(int level, const IdRange& ids, std::span<const Move> moves) {
  auto old = read_blocks(connection_, product_, level, ids);
  if (old.empty() || moves.front().id < old.front().first)
    old.insert(old.begin(), Block{ids.low, {}});
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < old.size(); ++i) {
    IdRange within{old[i].first, i + 1 < old.size() ? old[i + 1].first : ids.high};
    auto end = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
      return within.high && move.id >= *within.high;
    });
    auto here = moves.first(static_cast<std::size_t>(end - moves.begin()));
    moves = moves.subspan(here.size());
    if (here.empty()) {
      blocks.push_back(std::move(old[i]));
      continue;
    }
    auto parts = changed(level, std::move(old[i]), within, here);
    std::move(parts.begin(), parts.end(), std::back_inserter(blocks));
  }
  return blocks;
}

// The block after the moves, in parts if it is too long; nothing if it is empty.
std::vector<Block> BlockWriter::changed(int level, Block block, const IdRange& ids,
                                        std::span<const Move> moves) {
  const auto& sizes = connection_.block_sizes();
  for (const auto& move : moves) apply(block.counts, move);
  std::vector<Block> parts{block};
  if (level > 0) {
    auto below = update(level - 1, ids, moves);
    if (below.size() > sizes.max_blocks)
      parts = parents_of(below, (sizes.max_blocks + 1) / 2, block.first);
  } else if (sum_of(block.counts) > sizes.max_comments) {
    parts = blocks_of_comments(ids);
  }
  if (block.counts.empty()) {
    gone_.push_back(fmt::format("({}, {}, {})", product_, level, literal(block.first.view())));
    return {};
  }
  keep(level, parts);
  return parts;
}

// Reads the comments in pieces, because a product may have millions.
std::vector<Block> BlockWriter::blocks_of_comments(const IdRange& ids) {
  const auto size = (connection_.block_sizes().max_comments + 1) / 2;
  std::vector<Block> blocks;
  IdRange left = ids;
  for (bool more = true; more;) {
    auto some = members(connection_, product_, left, comments_at_once);
    more = some.size() == comments_at_once;
    if (some.empty() && !blocks.empty()) break;
    auto cut_off = cut(
        some, size, left.low, [](const Member& member) { return member.id; },
        [](CellCounts& counts, const Member& member) { ++counts[member.cell]; });
    if (more) left.low = some.back().id.next();
    std::move(cut_off.begin(), cut_off.end(), std::back_inserter(blocks));
  }
  return blocks;
}

// Adds levels until the highest has few blocks.
void BlockWriter::grow(int top, std::vector<Block> blocks) {
  const auto& sizes = connection_.block_sizes();
  while (blocks.size() > sizes.max_blocks) {
    blocks = parents_of(blocks, (sizes.max_blocks + 1) / 2, {});
    keep(++top, blocks);
  }
}

void BlockWriter::keep(int level, const std::vector<Block>& blocks) {
  for (const auto& block : blocks) {
    rows_.push_back(fmt::format("({}, {}, {}, {})", product_, level, literal(block.first.view()),
                                literal(text_of(block.counts))));
  }
}

void BlockWriter::write() {
  const auto& table = connection_.tables().blocks();
  replace(connection_, {table, "product, level, first_id", "cells"}, rows_);
  remove(connection_, table, "(product, level, first_id)", gone_);
  rows_.clear();
  gone_.clear();
}

void move_in_blocks(Connection& connection,
                    const std::map<std::string, std::vector<Move>>& by_product) {
  std::vector<std::string> keys;
  for (const auto& [product, moves] : by_product) keys.push_back(literal(product));
  struct Tree {
    std::uint64_t comments;
    int top;
  };
  std::map<std::string, Tree> trees;
  const auto& tables = connection.tables();
  for_keys(connection, keys, [&](const std::string& among) {
    auto query = fmt::format(
        "SELECT c.product, SUM(c.comments), "
        "COALESCE((SELECT MAX(b.level) FROM {} b WHERE b.product = c.product), -1) "
        "FROM {} c WHERE c.product{} GROUP BY c.product",
        tables.blocks(), tables.counts(), among);
    for (const auto& [product, comments, top] :
         connection.rows<std::string, long long, long long>(query))
      trees[product] = {static_cast<std::uint64_t>(comments), static_cast<int>(top)};
  });
  std::vector<std::string> gone;
  for (const auto& [product, moves] : by_product) {
    auto tree = trees.find(product);
    BlockWriter writer(connection, product);
    if (tree == trees.end()) {
      gone.push_back(literal(product));
    } else if (tree->second.top >= 0) {
      writer.move(tree->second.top, moves);
    } else if (tree->second.comments > connection.block_sizes().max_comments) {
      writer.build();
    }
  }
  remove(connection, tables.blocks(), "product", gone);
}

}  // namespace quire::sql
