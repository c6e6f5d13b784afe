// Walks over JSON and finds where values end, without reading them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "records/text.h"

namespace quire::records {

// Not thread-safe. The text outlives it.
class JsonCursor {
 public:
  static constexpr int end = -1;

  explicit JsonCursor(Text& text) : text_(&text) {}
  explicit JsonCursor(std::string_view whole) : rest_(whole) {}

  // The byte at which it stands, or `end`.
  int peek() { return rest_.empty() && !more() ? end : static_cast<unsigned char>(rest_.front()); }
  void take();
  // Moves to what is no blank, and returns it.
  int skip_blanks();
  // Moves behind the string, or any value, that begins here. False: it does not end, or is none.
  // `kept`: if not null, gets its text, but not more than `max` bytes and one.
  bool pass_string(std::string* kept, std::size_t max);
  bool pass_value(std::string* kept, std::size_t max);

  std::uint64_t line() const { return line_; }  // from 1

 private:
  bool more();
  bool pass_string();
  bool pass_containers();

  Text* text_ = nullptr;
  std::string_view rest_;
  std::uint64_t line_ = 1;
  std::string* kept_ = nullptr;
  std::size_t max_kept_ = 0;
};

// The text of a string in quotes. Empty: it is none.
std::string json_name(std::string_view quoted);

}  // namespace quire::records
