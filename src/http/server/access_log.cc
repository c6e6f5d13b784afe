#include "http/server/access_log.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "http/parameters.h"

namespace quire::http {
namespace {

bool is_plain_text(char c) {
  return (c > ' ') & (c < 0x7F) & (c != '"') & (c != '\\');  // compilers make vectors of this
}

// Percent-encodes bytes that a terminal would obey or that would end a field: a target may contain
// any bytes.
void append_escaped(std::string& out, std::string_view target) {
  bool plain = true;  // as most targets are
  for (char c : target) plain &= is_plain_text(c);
  if (plain) {
    out += target;
    return;
  }
  for (char c : target) {
    if (is_plain_text(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

}  // namespace

void AccessLog::add(const AccessLine& line, std::string_view time) {
  if (!log_) return;
  if (lines_.empty()) lines_.reserve(block + 1024);
  auto add = [this](const auto&... texts) {
    ((lines_.append(std::string_view(texts)) += ' '), ...);
  };
  auto number = [](auto value) { return fmt::format_int(value); };
  auto took = std::chrono::duration_cast<std::chrono::microseconds>(line.took).count();
  add(time, line.client, line.method);
  if (line.target.find('?') == line.target.npos)
    append_escaped(lines_, line.target);
  else
    append_escaped(lines_, without_secrets(line.target));
  lines_ += ' ';
  add(number(line.status).c_str(), number(line.bytes).c_str());
  lines_.append(number(took).c_str()).append("us ");
  add(line.id, line.token);
  lines_.back() = '\n';
  if (lines_.size() >= block) flush();
}

void AccessLog::flush() {
  if (!lines_.empty()) log_->write(std::exchange(lines_, {}));
}

}  // namespace quire::http
