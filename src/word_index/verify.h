// Compares the index with the terms that the comments have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bitmap_index/databases.h"
#include "lmdb/sealed.h"
#include "quire/ulid.h"
#include "word_index/databases.h"
#include "word_index/edit.h"
#include "word_index/reader.h"
#include "word_index/runs.h"

namespace quire::word_index {

// One thread at a time. Throws lmdb::Failure; what is damaged is a difference. Looks at some
// millions of slots at a time, with 9 bytes of memory each: for more there are several passes.
class Verification {
 public:
  static constexpr std::size_t max_differences = 100;

  // All must outlive it. Where the state is neither ready nor building, there is nothing to
  // compare.
  Verification(const Databases& databases, const bitmap_index::Databases& index,
               const lmdb::Transaction& txn);

  // Whether all comments are to be expected, from the first one, for the next pass.
  bool begin_pass();
  // Products ascend, and the ids of a product ascend. `terms` makes the comment's terms, and is
  // called in one of the passes at most.
  void expect(bitmap_index::Product product, const Ulid& id, const std::function<Terms()>& terms);
  void end_pass();

  // The first differences, as sentences.
  const std::vector<std::string>& reports() const { return reports_; }
  std::uint64_t differences() const { return found_; }  // all of them

 private:
  void report(std::string what);
  void enter_block(bitmap_index::Product product, const Ulid& start);
  void leave_block();
  void check_segment(const Segment& segment);
  void check_rows();

  const Databases& db_;
  const bitmap_index::Databases& index_;
  const lmdb::Transaction& txn_;
  std::optional<Reader> reader_;  // absent: it is damaged
  Contents contents_;
  std::uint64_t from_ = 0, to_ = 0;   // the slots of the pass
  std::vector<std::uint64_t> terms_;  // of each of these, a hash of its terms
  std::vector<bool> live_;
  std::optional<bitmap_index::Product> product_;
  Runs runs_;  // of the block
  std::size_t at_ = 0, rows_of_runs_ = 0;
  std::vector<std::string> reports_;
  std::uint64_t found_ = 0;
};

}  // namespace quire::word_index
