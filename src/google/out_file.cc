#include "google/out_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/files.h"

namespace quire::google {
namespace {

constexpr std::size_t buffered = 256 * 1024;

Error unwritten(const std::string& what, int why) {
  return {ErrorCode::unavailable, "The feed could not be written: " + what + std::strerror(why) +
                                      ". See whether the disk is full."};
}

}  // namespace

Result<OutFile> OutFile::in(const std::string& directory) {
  OutFile file;
  file.descriptor_ = nameless_file(directory);
  if (file.descriptor_ < 0) return unwritten(directory + ": ", errno);
  return file;
}

OutFile::~OutFile() {
  if (data_) munmap(const_cast<char*>(data_), written_);
  if (descriptor_ >= 0) close(descriptor_);
}

void OutFile::swap(OutFile& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(failed_, other.failed_);
  std::swap(written_, other.written_);
  std::swap(buffer_, other.buffer_);
  std::swap(data_, other.data_);
}

void OutFile::add(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= buffered) flush();
}

void OutFile::put_at(std::uint64_t offset, std::string_view bytes) {
  flush();
  write_at(offset, bytes);
}

void OutFile::clear() {
  buffer_.clear();
  written_ = 0;
  if (ftruncate(descriptor_, 0) != 0 && failed_ == 0) failed_ = errno;
}

void OutFile::flush() {
  write_at(written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

void OutFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty() && failed_ == 0) {
    auto size = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) {
      failed_ = size < 0 ? errno : EIO;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(size));
    offset += static_cast<std::uint64_t>(size);
  }
}

Status OutFile::finish() {
  flush();
  buffer_ = {};
  if (failed_ != 0) return unwritten("", failed_);
  if (written_ == 0) return Done{};
  auto* mapped = mmap(nullptr, written_, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) return unwritten("", errno);
  data_ = static_cast<const char*>(mapped);
  return Done{};
}

}  // namespace quire::google
