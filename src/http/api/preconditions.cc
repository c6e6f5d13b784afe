#include "http/api/preconditions.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "http/coding.h"

namespace quire::http {
namespace {

Error no_list() {
  return {ErrorCode::invalid_parameter,
          "If-Match is *, or one or more ETags in quotes with commas between, as a GET gave them.",
          "If-Match"};
}

void skip(std::string_view& text, std::string_view letters) {
  text.remove_prefix(std::min(text.find_first_not_of(letters), text.size()));
}

// Removes the tag at the front of the text and returns it.
std::optional<std::string> take_tag(std::string_view& text) {
  std::size_t open = text.starts_with("W/") ? 2 : 0;
  if (text.size() <= open || text[open] != '"') return {};
  auto close = text.find('"', open + 1);
  if (close == text.npos) return {};
  auto tag = text.substr(0, close + 1);
  bool spaced = std::any_of(tag.begin(), tag.end(), [](char c) { return c == ' ' || c == '\t'; });
  if (spaced) return {};
  text.remove_prefix(tag.size());
  return without_coding(tag);
}

}  // namespace

Result<std::vector<std::string>> if_match(const boost::beast::http::fields& headers) {
  std::vector<std::string> tags;
  auto [line, end] = headers.equal_range("If-Match");
  if (line == end) return tags;
  if (std::next(line) == end && line->value() == "*") return tags;
  for (; line != end; ++line) {
    std::string_view text(line->value().data(), line->value().size());
    for (skip(text, " \t,"); !text.empty(); skip(text, " \t,")) {
      auto tag = take_tag(text);
      if (!tag) return no_list();
      tags.push_back(std::move(*tag));
      skip(text, " \t");
      if (!text.empty() && text.front() != ',') return no_list();
    }
  }
  if (tags.empty()) return no_list();
  return tags;
}

}  // namespace quire::http
