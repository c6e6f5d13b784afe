// Reads the lines of a file, plain or gzip, or of standard input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"
#include "records/text.h"

namespace quire::records {

// The texts, with the lines of standard input in place of "-", but for empty lines.
Result<std::vector<std::string>> with_lines(const std::vector<std::string>& typed);

class Lines {
 public:
  static constexpr std::size_t max_size = 1 << 20;  // of a line

  // Whether the file can probably be opened. It is not opened: a named pipe may be opened once
  // only.
  static Status check(const std::string& file);
  // "-" is standard input. A file that begins with the byte order mark of UTF-16 is read as UTF-8.
  static Result<Lines> open(const std::string& file);

  // Moves to the next line. False at the end, or if the file is damaged; then failed() says how. As
  // for gzip(1), a file may have several members, and zeros behind the last; any other bytes there
  // are damage.
  bool next();
  std::string_view text() const { return line_; }
  std::uint64_t number() const { return number_; }
  bool too_long() const { return too_long_; }  // over max_size bytes; text() is its beginning
  const std::string& failed() const { return file_.failed(); }
  double part() const { return file_.part(); }  // read so far, 0 to 1; 0 if the size is not known

 private:
  explicit Lines(records::Text file) : file_(std::move(file)) {}

  records::Text file_;
  std::string_view rest_;  // of what was read
  std::string line_;
  std::uint64_t number_ = 0;
  bool too_long_ = false;
};

}  // namespace quire::records
