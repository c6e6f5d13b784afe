#include "cli/lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace quire::cli {
namespace {

Error unreadable(const std::string& file, int why) {
  return {ErrorCode::unavailable, "Cannot read " + file + ": " + std::strerror(why) + "."};
}

}  // namespace

Status Lines::check(const std::string& file) {
  if (file == "-") return Done{};
  std::error_code ignored;
  if (access(file.c_str(), R_OK) != 0) return unreadable(file, errno);
  if (std::filesystem::is_directory(file, ignored)) return unreadable(file, EISDIR);
  return Done{};
}

Result<Lines> Lines::open(const std::string& file) {
  int descriptor = file == "-" ? dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (descriptor < 0 || fstat(descriptor, &about) != 0 || S_ISDIR(about.st_mode)) {
    int why = descriptor < 0 ? errno : EISDIR;
    if (descriptor >= 0) close(descriptor);
    return unreadable(file, why);
  }
  // zlib passes on a file that is not gzip unchanged.
  gzFile opened = gzdopen(descriptor, "rb");
  gzbuffer(opened, 1 << 17);
  return Lines(opened, S_ISREG(about.st_mode) ? static_cast<std::uint64_t>(about.st_size) : 0);
}

Lines::Lines(Lines&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      size_(other.size_),
      buffer_(std::move(other.buffer_)) {}

Lines::~Lines() {
  if (file_) gzclose(file_);
}

bool Lines::fill() {
  int size = gzread(file_, buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int code = Z_OK;
  const char* message = gzerror(file_, &code);
  // A gzip file that was cut off ends with Z_BUF_ERROR.
  if (size < 0 || code == Z_BUF_ERROR) failed_ = code == Z_ERRNO ? std::strerror(errno) : message;
  if (size <= 0) return false;
  rest_ = {buffer_.data(), static_cast<std::size_t>(size)};
  return true;
}

bool Lines::next() {
  line_.clear();
  too_long_ = false;
  bool any = false;
  while (!rest_.empty() || fill()) {
    any = true;
    auto end = rest_.find('\n');
    auto part = rest_.substr(0, end);
    auto room = max_size - std::min(max_size, line_.size());
    if (part.size() > room) too_long_ = true;
    line_ += part.substr(0, room);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    if (end != rest_.npos) break;
  }
  if (number_ == 0 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);  // a byte order mark
  if (any && !line_.empty() && line_.back() == '\r') line_.pop_back();
  number_ += any;
  return any;
}

double Lines::part() const {
  return size_ == 0 ? 0 : static_cast<double>(gzoffset(file_)) / static_cast<double>(size_);
}

}  // namespace quire::cli
