// How a value lies within a text, such as a key of a table or an address in a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

namespace quire {

// How a value lies within a text: "REVIEW#{created_at}#{rest}".
// Literal text with placeholders between: one for the value, and {rest} for what is passed over.
class Pattern {
 public:
  // The whole text is the value.
  Pattern() = default;
  // `name`: of the placeholder for the value. invalid_parameter: the text has no such placeholder
  // or several, an unknown one, an open brace, or two placeholders without a text between.
  static Result<Pattern> parse(std::string_view text, std::string_view name);

  // The value in a text. Each placeholder but the last ends where the literal behind it comes
  // first. Absent: the text does not fit, or the value is empty.
  std::optional<std::string_view> value_in(std::string_view text) const;

  // Whether the value alone decides the text, so that text_of() can make it.
  bool is_whole() const { return !rest_; }
  // The text with this value, up to the first {rest} behind it. Absent: {rest} comes before it.
  std::optional<std::string> text_of(std::string_view value) const;

 private:
  // A placeholder lies before each literal but the first.
  std::vector<std::string> literals_ = {"", ""};
  std::size_t value_ = 1;  // the literal behind the value's placeholder
  bool rest_ = false;
};

}  // namespace quire
