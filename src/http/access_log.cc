#include "http/access_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iterator>

namespace quire::http {

void AccessLog::add(const AccessLine& line, std::string_view time) {
  if (file_ < 0) return;
  // A target has no spaces or quotes: they would have been no request.
  fmt::format_to(std::back_inserter(lines_), "{} {} {} {} {} {} {}us {}\n", time, line.client,
                 line.method, line.target, line.status, line.bytes,
                 std::chrono::duration_cast<std::chrono::microseconds>(line.took).count(), line.id);
  if (lines_.size() >= block) flush();
}

void AccessLog::flush() {
  if (lines_.empty()) return;
  [[maybe_unused]] auto written = write(file_, lines_.data(), lines_.size());
  lines_.clear();
}

}  // namespace quire::http
