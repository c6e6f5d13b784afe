// Reads the comments of one sorted run from a part of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "quire/comment.h"

namespace quire {

// A comment as a run has it: the size of its document, u32, XXH3 of the document, u64, both in the
// order of the machine, and the document.
void append_record(std::string& out, const Comment& comment);

class RunReader {
 public:
  enum class Outcome { comment, end, failed };

  // Reads `ahead` bytes at once. The file outlives the reader.
  RunReader(int file, std::uint64_t begin, std::uint64_t end, std::size_t ahead)
      : file_(file), next_(begin), end_(end), ahead_(ahead) {}

  // Reads a comment into head. `failed` also where its id is less than the one before.
  Outcome next();

  Comment head;
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

}  // namespace quire
