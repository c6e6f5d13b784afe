#include "service/run_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "model/document.h"

namespace quire {

void append_record(std::string& out, const Comment& comment) {
  auto document = encode_document(comment);
  auto size = static_cast<std::uint32_t>(document.size());
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out += document;
}

RunReader::Outcome RunReader::next() {
  if (left().empty() && next_ == end_) return Outcome::end;
  std::uint32_t size;
  if (!need(sizeof size)) return Outcome::failed;
  std::memcpy(&size, left().data(), sizeof size);
  if (!need(sizeof size + size)) return Outcome::failed;
  auto comment = decode_document(left().substr(sizeof size, size));
  if (!comment) return Outcome::failed;
  head = std::move(*comment);
  head_bytes = size;
  at_ += sizeof size + size;
  return Outcome::comment;
}

// Reads until the buffer has that many bytes. False: the run has fewer, or cannot be read.
bool RunReader::need(std::size_t bytes) {
  if (left().size() >= bytes) return true;
  if (bytes - left().size() > end_ - next_) return false;
  buffer_.erase(0, std::exchange(at_, 0));
  auto filled = buffer_.size();
  buffer_.resize(filled + std::min<std::uint64_t>(std::max(ahead_, bytes), end_ - next_));
  while (filled < buffer_.size()) {
    auto got =
        pread(file_, buffer_.data() + filled, buffer_.size() - filled, static_cast<off_t>(next_));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      failure = got < 0 ? errno : 0;
      return false;
    }
    filled += static_cast<std::size_t>(got);
    next_ += static_cast<std::uint64_t>(got);
  }
  return true;
}

}  // namespace quire
