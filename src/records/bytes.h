// Reads the bytes of a file, plain or gzip, or of standard input.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

namespace quire::records {

class Bytes {
 public:
  // Whether the file can probably be opened. It is not opened: a named pipe may be opened once
  // only.
  static Status check(const std::string& file);
  // "-" is standard input. At most `piece` bytes are read at once.
  static Result<Bytes> open(const std::string& file, std::size_t piece = 1 << 16);
  Bytes(Bytes&& other) noexcept;
  ~Bytes();

  // The bytes that follow, valid until the next call. Empty at the end, or where the file is
  // damaged; then failed() says how. As for gzip(1), a file may have several members, and zeros
  // behind the last; any other bytes there are damage.
  std::string_view next();
  const std::string& failed() const { return failed_; }
  double part() const;  // read so far, 0 to 1; 0 if the size is not known

 private:
  enum class Form { unknown, plain, member, between };  // between: behind a member
  struct End {
    void operator()(z_stream* stream) const;
  };

  Bytes(int descriptor, std::uint64_t size, std::size_t piece);
  bool read_up_to(std::size_t bytes);
  bool begin_member();
  std::string_view inflate_some();

  int descriptor_;
  std::uint64_t size_, read_ = 0;  // of the file
  std::vector<char> input_, buffer_;
  std::string_view left_;  // of the input
  std::unique_ptr<z_stream, End> stream_;
  Form form_ = Form::unknown;
  std::string failed_;
};

}  // namespace quire::records
