#include "webhook/courier/asks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

namespace quire::webhook {
namespace {

constexpr std::size_t max_asks = 1 << 20;  // bytes

std::optional<Ask> parse_ask(const std::string& line) {
  std::istringstream words(line);
  std::string deed, more;
  Ask ask{};
  if (!(words >> deed >> ask.webhook)) return {};
  words >> ask.id;
  if (words >> more) return {};
  if (deed == "skip" && !ask.id.empty())
    ask.deed = Ask::Deed::skip;
  else if (deed != "retry")
    return {};
  return ask;
}

// The file is the store's, whoever asks: root leaves a file that the server can empty.
void give_to_owner(int file, const std::string& path) {
  struct stat directory {};
  auto parent = std::filesystem::path(path).parent_path();
  if (geteuid() != 0 || stat(parent.c_str(), &directory) != 0) return;
  // Where it fails, the server says that it cannot read the file.
  [[maybe_unused]] int failed = fchown(file, directory.st_uid, directory.st_gid);
}

Error unasked(const std::string& file) {
  return {ErrorCode::unavailable, fmt::format("Cannot write {}: {}. Run this as the user who owns "
                                              "the store.",
                                              file, std::strerror(errno))};
}

}  // namespace

std::string asks_file(const std::string& directory) {
  return directory + "/webhooks.asked";
}

Status leave_ask(const std::string& file, const Ask& ask) {
  auto line = fmt::format("{} {}", ask.deed == Ask::Deed::retry ? "retry" : "skip", ask.webhook);
  if (!ask.id.empty()) line += " " + ask.id;
  line += '\n';
  int out = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0660);
  if (out < 0) return unasked(file);
  give_to_owner(out, file);
  bool written = flock(out, LOCK_EX) == 0 &&
                 write(out, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                 fsync(out) == 0;
  auto failed = unasked(file);
  close(out);
  if (!written) return failed;
  return Done{};
}

LeftAsks::LeftAsks(int file, std::vector<Ask> asks) : file_(file), asks_(std::move(asks)) {}

LeftAsks::LeftAsks(LeftAsks&& other) noexcept
    : file_(std::exchange(other.file_, -1)), asks_(std::move(other.asks_)) {}

LeftAsks::~LeftAsks() {
  if (file_ >= 0) close(file_);
}

std::optional<LeftAsks> LeftAsks::open(const std::string& file) {
  int in = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (in < 0) return {};
  LeftAsks out(in, {});
  struct stat found {};
  if (flock(in, LOCK_EX) != 0 || fstat(in, &found) != 0 || found.st_size == 0) return {};
  std::string text(std::min<std::size_t>(static_cast<std::size_t>(found.st_size), max_asks), '\0');
  auto size = pread(in, text.data(), text.size(), 0);
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (auto ask = parse_ask(line)) out.asks_.push_back(std::move(*ask));
  return out;
}

void LeftAsks::clear() {
  [[maybe_unused]] int failed = ftruncate(file_, 0);  // then they are obeyed once more
}

}  // namespace quire::webhook
