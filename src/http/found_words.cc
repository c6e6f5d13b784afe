#include "http/found_words.h"

#include <algorithm>
#include <utility>

#include "words/stemmers.h"

namespace quire::http {
namespace {

void append_marks(std::string& out, std::string_view name, const std::vector<words::Mark>& marks) {
  out.append("\"").append(name).append("\":[");
  for (const auto& [begin, end] : marks) {
    if (out.back() != '[') out += ',';
    out.append("[").append(std::to_string(begin)).append(",");
    out.append(std::to_string(end)).append("]");
  }
  out += ']';
}

}  // namespace

FoundWords::FoundWords(const std::string& words) {
  if (words.empty()) return;
  auto question = words::parse_question(words, words::all_stemmers);
  if (!question) return;
  question_ = std::move(*question);
  marks_.emplace(question_);
}

std::vector<words::Mark> FoundWords::in(std::string_view text, std::string_view language) {
  return marks_ ? marks_->in(text, language) : std::vector<words::Mark>();
}

std::vector<std::string> FoundWords::typed() const {
  std::vector<std::string> out;
  for (const auto& word : question_.words)
    if (std::find(out.begin(), out.end(), word.typed) == out.end()) out.push_back(word.typed);
  return out;
}

void append_matches(std::string& out, FoundWords& found, const Comment& comment) {
  out.back() = ',';  // in place of the closing brace
  out += "\"matches\":{";
  append_marks(out, "title", found.in(comment.title, comment.language));
  out += ',';
  append_marks(out, "text", found.in(comment.text, comment.language));
  out += "}}";
}

}  // namespace quire::http
