#include "mapping/pattern.h"

#include <fmt/format.h>

namespace quire {
namespace {

Error wrong_pattern(std::string_view text, std::string_view name) {
  return {ErrorCode::invalid_parameter,
          fmt::format("\"{0}\" is no pattern here. Write {{{1}}} once, {{rest}} for what is passed "
                      "over, and a text between two of them, such as \"REVIEW#{{{1}}}#{{rest}}\".",
                      text, name)};
}

}  // namespace

Result<Pattern> Pattern::parse(std::string_view text, std::string_view name) {
  Pattern out;
  out.literals_.clear();
  std::size_t values = 0;
  for (auto left = text;;) {
    auto open = left.find('{');
    auto literal = left.substr(0, open);
    bool between = !out.literals_.empty() && open != left.npos;
    if (literal.find('}') != literal.npos || (between && literal.empty()))
      return wrong_pattern(text, name);
    out.literals_.emplace_back(literal);
    if (open == left.npos) break;
    auto close = left.find('}', open);
    if (close == left.npos) return wrong_pattern(text, name);
    auto placeholder = left.substr(open + 1, close - open - 1);
    if (placeholder == name) {
      ++values;
      out.value_ = out.literals_.size();
    } else if (placeholder == "rest") {
      out.rest_ = true;
    } else {
      return wrong_pattern(text, name);
    }
    left.remove_prefix(close + 1);
  }
  if (values != 1) return wrong_pattern(text, name);
  return out;
}

std::optional<std::string_view> Pattern::value_in(std::string_view text) const {
  if (!text.starts_with(literals_.front())) return {};
  text.remove_prefix(literals_.front().size());
  std::string_view value;
  for (std::size_t i = 1; i < literals_.size(); ++i) {
    const auto& literal = literals_[i];
    bool last = i + 1 == literals_.size();
    if (last && !text.ends_with(literal)) return {};
    auto end = last ? text.size() - literal.size() : text.find(literal);
    if (end == text.npos) return {};
    if (i == value_) value = text.substr(0, end);
    text.remove_prefix(end + literal.size());
  }
  if (value.empty()) return {};
  return value;
}

std::optional<std::string> Pattern::text_of(std::string_view value) const {
  if (value_ != 1) return {};
  return literals_[0] + std::string(value) + literals_[1];
}

}  // namespace quire
