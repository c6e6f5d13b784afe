// Reads the lines of a file, plain or gzip, or of standard input.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

namespace quire::cli {

class Lines {
 public:
  static constexpr std::size_t max_size = 1 << 20;  // of a line

  // Whether the file can probably be opened. It is not opened: a named pipe may be opened once
  // only.
  static Status check(const std::string& file);
  // "-" is standard input.
  static Result<Lines> open(const std::string& file);
  Lines(Lines&& other) noexcept;
  ~Lines();

  // Moves to the next line. False at the end, or if the file is damaged; then failed() says how.
  bool next();
  std::string_view text() const { return line_; }
  std::uint64_t number() const { return number_; }
  bool too_long() const { return too_long_; }  // over max_size bytes; text() is its beginning
  const std::string& failed() const { return failed_; }
  double part() const;  // read so far, 0 to 1; 0 if the size is not known

 private:
  Lines(gzFile file, std::uint64_t size) : file_(file), size_(size), buffer_(1 << 16) {}
  bool fill();

  gzFile file_;
  std::uint64_t size_;
  std::vector<char> buffer_;
  std::string_view rest_;  // of the buffer
  std::string line_;
  std::uint64_t number_ = 0;
  bool too_long_ = false;
  std::string failed_;
};

}  // namespace quire::cli
