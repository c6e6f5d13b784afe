// A text that is made of many small pieces.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace quire::http {

// Appends without the calls that std::string makes for each piece: it has room ahead.
class Output {
 public:
  // `spare`: its capacity is used.
  explicit Output(std::string spare = {}) : text_(std::move(spare)) {}

  void append(std::string_view piece) {
    if (piece.empty()) return;
    std::memcpy(room(piece.size()), piece.data(), piece.size());
    size_ += piece.size();
  }
  // Where the next bytes are to be written, at most so many; then `wrote` takes them. Valid until
  // the next call.
  char* room(std::size_t bytes) {
    constexpr std::size_t ahead = 1024;
    if (text_.size() - size_ < bytes) text_.resize(size_ + bytes + ahead);
    return text_.data() + size_;
  }
  void wrote(std::size_t bytes) { size_ += bytes; }

  std::string take() && {
    text_.resize(size_);
    return std::move(text_);
  }

 private:
  std::string text_;
  std::size_t size_ = 0;  // of what is written
};

}  // namespace quire::http
