#include "service/run_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/long_hash.h"
#include "model/document.h"

namespace quire {
namespace {

struct [[gnu::packed]] Header {
  std::uint32_t size;
  std::uint64_t hash;
};

}  // namespace

void append_record(std::string& out, const Comment& comment) {
  auto document = encode_document(comment);
  Header header{static_cast<std::uint32_t>(document.size()), long_hash(document)};
  out.append(reinterpret_cast<const char*>(&header), sizeof header);
  out += document;
}

RunReader::Outcome RunReader::next() {
  if (left().empty() && next_ == end_) return Outcome::end;
  Header header;
  if (!need(sizeof header)) return Outcome::failed;
  std::memcpy(&header, left().data(), sizeof header);
  if (!need(sizeof header + header.size)) return Outcome::failed;
  auto document = left().substr(sizeof header, header.size);
  if (long_hash(document) != header.hash) return Outcome::failed;
  auto comment = decode_document(document);
  if (!comment || comment->id < head.id) return Outcome::failed;
  head = std::move(*comment);
  head_bytes = header.size;
  at_ += sizeof header + header.size;
  return Outcome::comment;
}

// Reads until the buffer has that many bytes. False: the run has fewer, or cannot be read.
bool RunReader::need(std::size_t bytes) {
  if (left().size() >= bytes) return true;
  if (bytes - left().size() > end_ - next_) return false;
  buffer_.erase(0, std::exchange(at_, 0));
  auto filled = buffer_.size();
  auto wanted = filled + std::min<std::uint64_t>(std::max(ahead_, bytes), end_ - next_);
  if (buffer_.capacity() > 2 * wanted) buffer_.shrink_to_fit();  // after a very large comment
  buffer_.resize(wanted);
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
