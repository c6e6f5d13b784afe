// Rows of files become comments in the store, in sorted batches.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "model/comment_json.h"
#include "store/store.h"

namespace quire {

// The id of a row that has none: its time, and 80 bits of a digest of the row and of how often the
// very same row came before in its file. So the same file always gives the same ids.
class RowIds {
 public:
  Ulid id(const Draft& row);

 private:
  // By the first 64 bits of the row's digest. Grows by 16 bytes a row of the file.
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> seen_;
};

class Importer {
 public:
  static constexpr std::size_t batch_bytes = 128 << 20;

  using Write = std::function<Result<std::size_t>(std::vector<Comment>)>;

  // `write` puts a batch, of at most so many rows, into the store; it runs on a thread of its own,
  // one batch at a time, while the next is read.
  // A row must not be dated later than five minutes from the beginning of the import, at `now_ms`.
  Importer(Write write, std::size_t batch_rows, std::uint64_t now_ms = system_ms())
      : write_(std::move(write)), batch_rows_(batch_rows), now_ms_(now_ms) {}

  // An error is about this row alone.
  Status add(std::string_view line);
  // A new file begins: repeats are counted anew.
  void next_file() { ids_ = {}; }
  // Ends the import. An error: the store failed; everything in earlier batches is kept.
  Status finish();
  // The store has failed: nothing more will be taken.
  const std::optional<Error>& failed() const { return failed_; }

  std::size_t rows() const { return rows_; }    // taken, stored or not
  std::size_t added() const { return added_; }  // stored
  std::size_t known() const { return known_; }  // there already

 private:
  void flush();
  void join();

  Write write_;
  std::size_t batch_rows_;
  std::uint64_t now_ms_;
  RowIds ids_;
  std::vector<Comment> batch_;
  std::size_t bytes_ = 0;
  std::future<Result<std::size_t>> writing_;
  std::optional<Error> failed_;
  std::size_t rows_ = 0;
  std::size_t writing_rows_ = 0;
  std::size_t added_ = 0;
  std::size_t known_ = 0;
};

}  // namespace quire
