#include "cli/terminal/terminal.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace quire::cli {

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto rest = text.substr(i);
    auto byte = [&](std::size_t at) {
      return at < rest.size() ? static_cast<unsigned char>(rest[at]) : 0u;
    };
    bool c1 = byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0;
    bool turns = byte(0) == 0xE2 && ((byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||
                                     (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
    bool control = byte(0) < 0x20 || byte(0) == 0x7F;
    out += c1 || turns || control ? ' ' : text[i];
    i += turns ? 2 : c1 ? 1 : 0;
  }
  return out;
}

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) == 1),
      begun_(std::chrono::steady_clock::now()),
      next_(begun_ + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(double part, std::uint64_t count) {
  if (!terminal_) return;
  auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  constexpr std::size_t width = 30;
  auto filled = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * width);
  double seconds = std::chrono::duration<double>(now - begun_).count();
  fmt::print(stderr, "\r{} [{}{}] {:3.0f} % {} ({:.0f}/s)\x1b[K", what_, std::string(filled, '='),
             std::string(width - filled, ' '), std::clamp(part, 0.0, 1.0) * 100, count,
             static_cast<double>(count) / seconds);
  std::fflush(stderr);
}

}  // namespace quire::cli
