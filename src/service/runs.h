// Sorts more rows by id than memory holds: keeps them in a file, in sorted runs, and merges
// these (Knuth, The Art of Computer Programming, volume 3, section 5.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/import_row.h"
#include "quire/result.h"

namespace quire {

// A row as a run has it: the size of what follows, u32, XXH3 of what follows, u64, both in the
// order of the machine; what the row lacks, one byte; and the document of its comment.
void append_record(std::string& out, const ImportRow& row);

class RunReader {
 public:
  enum class Outcome { row, end, failed };

  // Reads `ahead` bytes at once. The file outlives the reader.
  RunReader(int file, std::uint64_t begin, std::uint64_t end, std::size_t ahead)
      : file_(file), next_(begin), end_(end), ahead_(ahead) {}

  // Reads a row into head. `failed` also where its id is less than the one before.
  Outcome next();

  ImportRow head;
  std::size_t head_bytes = 0;  // of its document
  int failure = 0;  // after `failed`: the errno; 0: the bytes are not those that were written

 private:
  bool need(std::size_t bytes);
  std::string_view left() const { return std::string_view(buffer_).substr(at_); }

  int file_;
  std::uint64_t next_, end_;  // the part that was not read yet
  std::size_t ahead_;
  std::string buffer_;
  std::size_t at_ = 0;
};

// Not thread-safe. The file has no name: see nameless_file(). It takes about as much room as the
// rows as JSON. The runs read ahead 32 MiB together; each also keeps one row, and as many bytes as
// that took to read.
class Runs {
 public:
  // Makes the file in `directory`. unavailable.
  static Result<std::unique_ptr<Runs>> in(const std::string& directory);
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  // Adds a run. `rows` are sorted by id. Not after take(). unavailable: the disk is full, or
  // fails.
  Status add(std::span<const ImportRow* const> rows);

  // Takes the rows with the least ids, in their order: at most `max_rows`, and about
  // `max_bytes` of memory. Equal ids come in the order in which they were added. Empty: none is
  // left. unavailable: the disk fails, or the file is not as it was written.
  Result<std::vector<ImportRow>> take(std::size_t max_rows, std::size_t max_bytes);

  // The part of the rows that was taken, 0 to 1.
  double part() const;

 private:
  struct Open {
    std::size_t number;
    RunReader reader;
  };

  Runs(std::string directory, int file) : directory_(std::move(directory)), file_(file) {}
  Status write(std::string& bytes);
  Status begin_merge();
  Status advance();
  Error failed(int code) const;
  static bool later(const std::unique_ptr<Open>& a, const std::unique_ptr<Open>& b);

  std::string directory_;
  int file_;
  std::vector<std::uint64_t> ends_;  // of runs, in the file
  std::uint64_t size_ = 0, rows_ = 0, taken_ = 0;
  bool merging_ = false;
  std::vector<std::unique_ptr<Open>> heap_;  // of runs with rows left; the least id in front
};

}  // namespace quire
