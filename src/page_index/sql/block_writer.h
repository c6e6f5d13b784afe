// Keeps the blocks of a product as its comments are.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "page_index/sql/blocks.h"

namespace quire::sql {

// A comment that moved from a cell to another, appeared, or went.
struct Move {
  Ulid id;
  std::optional<Cell> from, to;
};

// Must run within a transaction that keeps other writers out, after the comments were changed.
// Blocks are split where they grow too long, and never merged: a block goes with its last comment.
class BlockWriter {
 public:
  explicit BlockWriter(Connection& connection, const std::string& product);

  // Makes the blocks of a product anew from its comments; a short product needs none.
  void build();
  // `top`: the highest level that the product has. `moves`: in id order, none empty.
  void move(int top, std::span<const Move> moves);

 private:
  std::vector<Block> update(int level, const IdRange& ids, std::span<const Move> moves);
  std::vector<Block> changed(int level, Block block, const IdRange& ids,
                             std::span<const Move> moves);
  std::vector<Block> blocks_of_comments(const IdRange& ids);
  void grow(int top, std::vector<Block> blocks);
  void keep(int level, const std::vector<Block>& blocks);
  void write();

  Connection& connection_;
  std::string product_;            // as a literal
  std::vector<std::string> rows_;  // to write
  std::vector<std::string> gone_;  // keys to remove
};

// Applies the moves of a step, by product.
void move_in_blocks(Connection& connection,
                    const std::map<std::string, std::vector<Move>>& by_product);

// How the blocks of a product contradict its comments, its counts or each other: a sentence each,
// the first few.
std::vector<std::string> flaws_of_blocks(Connection& connection, const std::string& product);

}  // namespace quire::sql
