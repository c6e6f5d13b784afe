#include "records/bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>

namespace quire::records {
namespace {

constexpr std::string_view magic = "\x1f\x8b";
constexpr int gzip_window = 15 + 16;  // the largest, of the gzip format alone

Error unreadable(const std::string& file, int why) {
  return {ErrorCode::unavailable, "Cannot read " + file + ": " + std::strerror(why) + "."};
}

}  // namespace

Status Bytes::check(const std::string& file) {
  if (file == "-") return Done{};
  std::error_code ignored;
  if (access(file.c_str(), R_OK) != 0) return unreadable(file, errno);
  if (std::filesystem::is_directory(file, ignored)) return unreadable(file, EISDIR);
  return Done{};
}

Result<Bytes> Bytes::open(const std::string& file, std::size_t piece) {
  int descriptor = file == "-" ? dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (descriptor < 0 || fstat(descriptor, &about) != 0 || S_ISDIR(about.st_mode)) {
    int why = descriptor < 0 ? errno : EISDIR;
    if (descriptor >= 0) close(descriptor);
    return unreadable(file, why);
  }
  auto size = S_ISREG(about.st_mode) ? static_cast<std::uint64_t>(about.st_size) : 0;
  return Bytes(descriptor, size, piece);
}

Bytes::Bytes(int descriptor, std::uint64_t size, std::size_t piece)
    : descriptor_(descriptor),
      size_(size),
      input_(std::max(piece, magic.size())),
      buffer_(std::max<std::size_t>(piece, 1)) {}

Bytes::Bytes(Bytes&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      read_(other.read_),
      input_(std::move(other.input_)),
      buffer_(std::move(other.buffer_)),
      left_(other.left_),
      stream_(std::move(other.stream_)),
      form_(other.form_),
      failed_(std::move(other.failed_)) {}

Bytes::~Bytes() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Bytes::End::operator()(z_stream* stream) const {
  inflateEnd(stream);
  delete stream;
}

std::string_view Bytes::next() {
  if (form_ == Form::unknown) {
    read_up_to(magic.size());
    form_ = left_.starts_with(magic) ? Form::between : Form::plain;
  }
  if (form_ == Form::plain) {
    read_up_to(1);
    return std::exchange(left_, {});
  }
  while (failed_.empty()) {
    if (form_ == Form::between && !begin_member()) return {};
    if (auto some = inflate_some(); !some.empty()) return some;
  }
  return {};
}

// Reads until so many bytes are left. False: the file has fewer, or cannot be read.
bool Bytes::read_up_to(std::size_t bytes) {
  if (left_.size() >= bytes) return true;
  std::copy(left_.begin(), left_.end(), input_.begin());
  left_ = {input_.data(), left_.size()};
  while (left_.size() < bytes) {
    auto size = read(descriptor_, input_.data() + left_.size(), input_.size() - left_.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) failed_ = std::strerror(errno);
    if (size <= 0) return false;
    read_ += static_cast<std::uint64_t>(size);
    left_ = {input_.data(), left_.size() + static_cast<std::size_t>(size)};
  }
  return true;
}

// False at the end.
bool Bytes::begin_member() {
  if (read_up_to(magic.size()) && left_.starts_with(magic)) {
    if (stream_) {
      inflateReset(stream_.get());
    } else {
      stream_.reset(new z_stream{});
      if (inflateInit2(stream_.get(), gzip_window) != Z_OK) throw std::bad_alloc();
    }
    form_ = Form::member;
    return true;
  }
  while (read_up_to(1) && left_.front() == '\0')
    left_.remove_prefix(std::min(left_.find_first_not_of('\0'), left_.size()));
  if (!left_.empty()) failed_ = "what follows the gzip data is none";
  return false;
}

// Empty: there is nothing to take yet.
std::string_view Bytes::inflate_some() {
  bool holds_some = stream_->avail_out == 0;  // of what it has taken
  if (!holds_some && !read_up_to(1)) {
    if (failed_.empty()) failed_ = "unexpected end of file";
    return {};
  }
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left_.data()));
  stream_->avail_in = static_cast<unsigned>(left_.size());
  stream_->next_out = reinterpret_cast<Bytef*>(buffer_.data());
  stream_->avail_out = static_cast<unsigned>(buffer_.size());
  int code = inflate(stream_.get(), Z_NO_FLUSH);
  left_.remove_prefix(left_.size() - stream_->avail_in);
  if (code == Z_STREAM_END)
    form_ = Form::between;
  else if (code != Z_OK && code != Z_BUF_ERROR)
    failed_ = stream_->msg ? stream_->msg : "no gzip data";
  return {buffer_.data(), buffer_.size() - stream_->avail_out};
}

double Bytes::part() const {
  return size_ == 0 ? 0 : static_cast<double>(read_ - left_.size()) / static_cast<double>(size_);
}

}  // namespace quire::records
