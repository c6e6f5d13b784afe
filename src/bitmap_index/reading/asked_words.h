// The words that a request asks for: which ids of a product have them, block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/databases.h"
#include "bitmap_index/reading/rows.h"
#include "bitmap_index/words.h"
#include "loop/awaitable.h"
#include "quire/ulid.h"
#include "word_index/match.h"
#include "word_index/reader.h"
#include "words/question.h"

namespace quire::bitmap_index {

// What a segment has is found once for all sieves of a request. One task at a time. Throws
// lmdb::Damaged, lmdb::Failure.
class AskedWords {
 public:
  // In an index that is ready. Databases and transaction must outlive it.
  AskedWords(const word_index::Databases& databases, const lmdb::Transaction& txn, Product product,
             std::span<const std::string> plain_words);
  AskedWords(const AskedWords&) = delete;

  // Asks all segments that comments of the product are in, before all of its blocks are looked at:
  // a segment may take long. Gives the other coroutines of the loop their turn. `blocks`: as below.
  Awaitable<void> ask_segments(std::uint64_t blocks);
  // At most so many ids of the product have them. `length`: the ids of the product, and
  // `blocks`: about how many blocks those are. A product of less blocks than there are segments is
  // not counted: `length`.
  std::uint64_t max_matches(std::uint64_t length, std::uint64_t blocks);
  // Sets `bits` to the ids of a block that have them. Whether there are some.
  bool of_block(const word_index::Runs& runs, Words& bits) { return matches_.of_block(runs, bits); }
  // Of the block that starts there.
  word_index::Runs runs(const Ulid& start) const { return index_.runs(product_, start); }
  // The runs of all blocks of the product, in their order.
  Rows rows() const { return Rows::of_words(txn_, databases_.slots, product_); }

  std::size_t segments() const { return index_.segments().size(); }
  std::size_t segments_asked() const { return matches_.asked(); }
  words::Stemmers stemmers() const { return index_.stemmers(); }

 private:
  const word_index::Databases& databases_;
  const lmdb::Transaction& txn_;
  const Product product_;
  word_index::Reader index_;
  const words::Question question_;
  word_index::Matches matches_;
  std::optional<std::uint64_t> max_matches_;
};

// The ids of blocks that have the words, block by block as the columns of a sieve. One task at a
// time. Throws as AskedWords, which must outlive it.
class WordColumn {
 public:
  explicit WordColumn(AskedWords& asked) : asked_(asked), rows_(asked.rows()) {}

  Rows& rows() { return rows_; }
  // Looks at the block after, which starts at `start`. Whether some of its ids have the words.
  bool fetch(const Ulid& start);
  // The block after is the present one.
  void step() { present_.swap(next_); }
  // Looks at a block, which is the present one then.
  void move_to(const Ulid& start);

  // Of the present block.
  struct Block {
    Words bits = {};
    std::size_t ids = 0;
    bool some = false;  // bits are set
    void swap(Block& other);
  };
  const Block& block() const { return present_; }
  // The ids of all blocks that fetch() looked at.
  std::uint64_t ids_passed() const { return ids_passed_; }

 private:
  bool look(const word_index::Runs& runs, Block& block);

  AskedWords& asked_;
  Rows rows_;
  word_index::Runs runs_;  // of the block that fetch() looked at last
  Block present_, next_;
  std::uint64_t ids_passed_ = 0;
};

}  // namespace quire::bitmap_index
