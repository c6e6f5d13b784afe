// A file without a name, which is written once and then read: the system removes it when nobody
// uses it any more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire::google {

// Not thread-safe while it is written.
class OutFile {
 public:
  // unavailable: the directory takes no file.
  static Result<OutFile> in(const std::string& directory);
  OutFile(OutFile&& other) noexcept { swap(other); }
  OutFile& operator=(OutFile&& other) noexcept {
    swap(other);
    return *this;
  }
  ~OutFile();

  // A failure is told by finish().
  void add(std::string_view bytes);
  // In place of bytes that were added before.
  void put_at(std::uint64_t offset, std::string_view bytes);
  // Drops what was added.
  void clear();
  std::uint64_t size() const { return written_ + buffer_.size(); }

  // Nothing is added afterwards. unavailable: something could not be written.
  Status finish();
  // All bytes, after finish(). They live as long as this.
  std::string_view bytes() const { return {data_, data_ ? written_ : 0}; }

 private:
  OutFile() = default;
  void swap(OutFile& other) noexcept;
  void write_at(std::uint64_t offset, std::string_view bytes);
  void flush();

  int descriptor_ = -1;
  int failed_ = 0;  // the first errno; 0: none
  std::uint64_t written_ = 0;
  std::string buffer_;
  const char* data_ = nullptr;  // mapped
};

}  // namespace quire::google
