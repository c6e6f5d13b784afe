#include "records/lines.h"

#include "base/try.h"

#include <algorithm>
#include <utility>

namespace quire::records {

Status Lines::check(const std::string& file) {
  return records::Bytes::check(file);
}

Result<Lines> Lines::open(const std::string& file) {
  TRY(auto bytes, records::Bytes::open(file));
  return Lines(records::Text(std::move(bytes), "", records::Invalid::kept));
}

bool Lines::next() {
  line_.clear();
  too_long_ = false;
  bool any = false;
  while (!rest_.empty() || !(rest_ = file_.next()).empty()) {
    any = true;
    auto end = rest_.find('\n');
    auto part = rest_.substr(0, end);
    auto room = max_size - std::min(max_size, line_.size());
    if (part.size() > room) too_long_ = true;
    line_ += part.substr(0, room);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    if (end != rest_.npos) break;
  }
  if (any && !line_.empty() && line_.back() == '\r') line_.pop_back();
  number_ += any;
  return any;
}

Result<std::vector<std::string>> with_lines(const std::vector<std::string>& typed) {
  std::vector<std::string> texts;
  for (const auto& text : typed) {
    if (text != "-") {
      texts.push_back(text);
      continue;
    }
    TRY(auto lines, Lines::open(text));
    while (lines.next())
      if (!lines.text().empty()) texts.emplace_back(lines.text());
    if (!lines.failed().empty())
      return Error{ErrorCode::unavailable, "Standard input is damaged: " + lines.failed() + "."};
  }
  return texts;
}

}  // namespace quire::records
