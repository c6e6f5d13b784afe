#include "http/server/access_log.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace quire::http {
namespace {

// Percent-encodes bytes that a terminal would obey or that would end a field: a target may contain
// any bytes.
std::string escaped(std::string_view target) {
  std::string out;
  for (char c : target) {
    if (c > ' ' && c < 0x7F && c != '"' && c != '\\') {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace

void AccessLog::add(const AccessLine& line, std::string_view time) {
  if (!log_) return;
  if (lines_.empty()) lines_.reserve(block + 1024);
  fmt::format_to(std::back_inserter(lines_), "{} {} {} {} {} {} {}us {} {}\n", time, line.client,
                 line.method, escaped(line.target), line.status, line.bytes,
                 std::chrono::duration_cast<std::chrono::microseconds>(line.took).count(), line.id,
                 line.token);
  if (lines_.size() >= block) flush();
}

void AccessLog::flush() {
  if (!lines_.empty()) log_->write(std::exchange(lines_, {}));
}

}  // namespace quire::http
