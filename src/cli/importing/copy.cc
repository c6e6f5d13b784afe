#include "cli/importing/copy.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/files.h"
#include "base/try.h"
#include "records/bytes.h"

namespace quire::cli {
namespace {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    auto size = write(descriptor, bytes.data(), bytes.size());
    if (size < 0 && errno != EINTR) return false;
    if (size > 0) bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

Error no_room(const std::string& file, const std::string& directory) {
  return {ErrorCode::unavailable,
          fmt::format("Cannot copy {} to {}: {}. Its replies are rows of their own, so it is read "
                      "twice: name a file that stays, or set TMPDIR.",
                      file, directory, std::strerror(errno))};
}

}  // namespace

bool stays(const std::string& file) {
  std::error_code ignored;
  return file != "-" && std::filesystem::is_regular_file(file, ignored);
}

Result<Copy> Copy::of(const std::string& file) {
  auto directory = temporary_directory();
  Copy copy(nameless_file(directory));
  if (copy.descriptor_ < 0) return no_room(file, directory);
  TRY(auto bytes, records::Bytes::open(file));
  for (auto piece = bytes.next(); !piece.empty(); piece = bytes.next())
    if (!write_all(copy.descriptor_, piece)) return no_room(file, directory);
  if (bytes.failed().empty()) return copy;
  return Error{ErrorCode::unavailable, fmt::format("{} is damaged: {}.", file, bytes.failed())};
}

Copy::~Copy() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string Copy::path() const {
  return fmt::format("/proc/self/fd/{}", descriptor_);
}

}  // namespace quire::cli
