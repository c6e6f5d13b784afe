#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "base/try.h"
#include "cli/importing/rows.h"
#include "cli/terminal/terminal.h"
#include "records/lines.h"

namespace quire::cli {
namespace {

// What a file is that begins with this line. Empty: it may be JSON Lines.
std::string_view other_kind(std::string_view line) {
  auto first = line[std::min(line.find_first_not_of(" \t"), line.size() - 1)];
  if (first == '[') return "a JSON array";
  if (first == '<') return "XML";
  bool name = std::isalpha(static_cast<unsigned char>(first)) || first == '"';
  bool fields = line.find_first_of(",;\t") != line.npos && line.find('{') == line.npos;
  return name && fields ? "CSV" : "";
}

Error not_json_lines(const std::string& file, std::string_view kind) {
  return {
      ErrorCode::invalid_parameter,
      fmt::format("{} looks like {}. Without --map, quire import takes JSON Lines: on each line a "
                  "JSON object, as quire import --help shows. Of a file of another system, name "
                  "the --map: quire import --map list shows them.",
                  file, kind)};
}

}  // namespace

Status give_own_rows(const std::string& file, Target& target, Rejects& rejects) {
  TRY(auto lines, records::Lines::open(file));
  Progress progress("importing " + file);
  std::string buffer;
  std::uint64_t rows = 0;
  while (!target.failed() && lines.next()) {
    auto text = without_reason(lines.text(), buffer);
    Origin origin{.file = file, .line = lines.number(), .row = text};
    if (lines.too_long()) {
      rejects.add(origin, "The line has over 1 MiB; only its beginning is kept.");
    } else if (text.empty()) {
      continue;
    } else if (auto kind = rows == 0 ? other_kind(text) : ""; !kind.empty()) {
      return not_json_lines(file, kind);
    } else {
      target.add(text, origin);
    }
    progress.show(lines.part(), ++rows);
  }
  if (lines.failed().empty()) return Done{};
  return Error{ErrorCode::unavailable, fmt::format("{} is damaged after line {}: {}.", file,
                                                   lines.number(), lines.failed())};
}

}  // namespace quire::cli
