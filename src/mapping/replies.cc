#include "mapping/replies.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "base/hash.h"
#include "base/try.h"

namespace quire {
namespace {

constexpr std::uint64_t max_count = (1 << 24) - 1;
constexpr std::uint64_t max_file_bytes = (std::uint64_t{1} << 40) - 1;

// A reply in the file: the sizes of comment, author and text, then these.
using Sizes = std::array<std::uint64_t, 3>;

Error no_file(int code) {
  return {ErrorCode::unavailable,
          fmt::format("Replies in rows of their own need a temporary file, which failed: {}. Make "
                      "room, or set TMPDIR to a directory that has it.",
                      std::strerror(code))};
}

bool put(std::FILE* file, std::string_view bytes) {
  return bytes.empty() || std::fwrite(bytes.data(), bytes.size(), 1, file) == 1;
}

bool get(std::FILE* file, std::string& bytes, std::uint64_t size) {
  bytes.resize(size);
  return size == 0 || std::fread(bytes.data(), size, 1, file) == 1;
}

}  // namespace

Status Replies::open() {
  int descriptor = nameless_file(temporary_directory());
  if (descriptor < 0) return no_file(errno);
  file_.reset(fdopen(descriptor, "w+b"));
  if (file_) return Done{};
  int code = errno;
  close(descriptor);
  return no_file(code);
}

Result<std::uint64_t> Replies::write(std::string_view comment, const Given& reply) {
  if (!file_) TRY_DONE(open());
  Sizes sizes = {comment.size(), reply.author.size(), reply.text.size()};
  auto offset = size_;
  auto bytes = sizeof sizes + comment.size() + reply.author.size() + reply.text.size();
  if (offset + bytes > max_file_bytes) return no_file(EFBIG);
  bool written = fseeko(file_.get(), 0, SEEK_END) == 0 &&
                 put(file_.get(), {reinterpret_cast<const char*>(sizes.data()), sizeof sizes}) &&
                 put(file_.get(), comment) && put(file_.get(), reply.author) &&
                 put(file_.get(), reply.text);
  if (!written) return no_file(errno);
  size_ += bytes;
  return offset;
}

Status Replies::add(std::string_view comment, const Given& reply) {
  auto ms = reply.ms.value_or(no_time);
  auto [place, fresh] = places_.try_emplace(long_hash(comment), Place{no_time, 0, 0});
  if (fresh || ms < place->second.ms) {
    TRY(auto offset, write(comment, reply));
    place->second.ms = ms;
    place->second.offset = offset & max_file_bytes;
  }
  place->second.count = std::min<std::uint64_t>(place->second.count + 1, max_count);
  ++left_;
  return Done{};
}

Result<Replies::Found> Replies::take(std::string_view comment) {
  auto place = places_.find(long_hash(comment));
  if (place == places_.end()) return Found{};
  Sizes sizes;
  std::string answered;
  Given reply;
  bool read = fseeko(file_.get(), static_cast<off_t>(place->second.offset), SEEK_SET) == 0 &&
              std::fread(sizes.data(), sizeof sizes, 1, file_.get()) == 1 &&
              get(file_.get(), answered, sizes[0]) && get(file_.get(), reply.author, sizes[1]) &&
              get(file_.get(), reply.text, sizes[2]);
  if (!read) return no_file(errno);
  if (answered != comment) return Found{};  // another comment has this hash
  if (place->second.ms != no_time) reply.ms = place->second.ms;
  Found found{std::move(reply), place->second.count};
  left_ -= std::min<std::uint64_t>(found.count, left_);
  places_.erase(place);
  return found;
}

}  // namespace quire
