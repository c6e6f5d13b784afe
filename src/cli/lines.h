// Reads the lines of a file, plain or gzip, or of standard input.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

namespace quire::cli {

// The texts, with the lines of standard input in place of "-", but for empty lines.
Result<std::vector<std::string>> with_lines(const std::vector<std::string>& typed);

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

  // Moves to the next line. False at the end, or if the file is damaged; then failed() says how. As
  // for gzip(1), a file may have several members, and zeros behind the last; any other bytes there
  // are damage.
  bool next();
  std::string_view text() const { return line_; }
  std::uint64_t number() const { return number_; }
  bool too_long() const { return too_long_; }  // over max_size bytes; text() is its beginning
  const std::string& failed() const { return failed_; }
  double part() const;  // read so far, 0 to 1; 0 if the size is not known

 private:
  enum class Form { unknown, plain, member, between };  // between: behind a member
  struct End {
    void operator()(z_stream* stream) const;
  };

  Lines(int descriptor, std::uint64_t size)
      : descriptor_(descriptor), size_(size), input_(1 << 17), buffer_(1 << 16) {}
  bool fill();
  bool read_up_to(std::size_t bytes);
  bool begin_member();
  bool inflate_some();

  int descriptor_;
  std::uint64_t size_, read_ = 0;  // of the file
  std::vector<char> input_, buffer_;
  std::string_view left_;  // of the input
  std::unique_ptr<z_stream, End> stream_;
  Form form_ = Form::unknown;
  std::string_view rest_;  // of the lines: in the input or in the buffer
  std::string line_;
  std::uint64_t number_ = 0;
  bool too_long_ = false;
  std::string failed_;
};

}  // namespace quire::cli
