#include "service/runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/try.h"
#include "model/document.h"

namespace quire {

namespace {

struct [[gnu::packed]] Header {
  std::uint32_t size;
  std::uint64_t hash;
};

constexpr std::size_t bytes_a_write = 1 << 20;
constexpr std::size_t bytes_ahead = 32 << 20;  // of all runs together

// `code`: an errno; 0: the file is not as it was written.
Error cannot_sort(const std::string& directory, int code) {
  bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return {ErrorCode::unavailable,
          fmt::format("Cannot sort the rows of the import in {}: {}. {}, then import again.",
                      directory, code ? std::strerror(code) : "the file is not as it was written",
                      full ? "That takes as much room there as the rows. Make room"
                           : "Check the directory and its disk")};
}

}  // namespace

void append_record(std::string& out, const ImportRow& row) {
  auto record = encode_document(row.comment, Members::kept);
  record.insert(record.begin(), static_cast<char>(row.lacks));
  Header header{static_cast<std::uint32_t>(record.size()), long_hash(record)};
  out.append(reinterpret_cast<const char*>(&header), sizeof header);
  out += record;
}

RunReader::Outcome RunReader::next() {
  if (left().empty() && next_ == end_) return Outcome::end;
  Header header;
  if (!need(sizeof header)) return Outcome::failed;
  std::memcpy(&header, left().data(), sizeof header);
  if (!need(sizeof header + header.size)) return Outcome::failed;
  auto record = left().substr(sizeof header, header.size);
  if (long_hash(record) != header.hash || record.empty()) return Outcome::failed;
  auto comment = decode_document(record.substr(1));
  if (!comment || comment->id < head.comment.id) return Outcome::failed;
  head = {std::move(*comment), static_cast<std::uint8_t>(record.front())};
  head_bytes = header.size;
  at_ += sizeof header + header.size;
  return Outcome::row;
}

// Reads until the buffer has that many bytes. False: the run has fewer, or cannot be read.
bool RunReader::need(std::size_t bytes) {
  if (left().size() >= bytes) return true;
  if (bytes - left().size() > end_ - next_) return false;
  buffer_.erase(0, std::exchange(at_, 0));
  auto filled = buffer_.size();
  auto wanted = filled + std::min<std::uint64_t>(std::max(ahead_, bytes), end_ - next_);
  if (buffer_.capacity() > 2 * wanted) buffer_.shrink_to_fit();  // after a very large row
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

Result<std::unique_ptr<Runs>> Runs::in(const std::string& directory) {
  int file = nameless_file(directory);
  if (file < 0) return cannot_sort(directory, errno);
  return std::unique_ptr<Runs>(new Runs(directory, file));
}

Runs::~Runs() {
  close(file_);
}

Error Runs::failed(int code) const {
  return cannot_sort(directory_, code);
}

Status Runs::add(std::span<const ImportRow* const> rows) {
  std::string bytes;
  for (const auto* row : rows) {
    append_record(bytes, *row);
    if (bytes.size() < bytes_a_write) continue;
    if (auto written = write(bytes); !written) return written;
  }
  if (auto written = write(bytes); !written) return written;
  ends_.push_back(size_);
  rows_ += rows.size();
  return Done{};
}

// Writes the bytes, and leaves none of them.
Status Runs::write(std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    auto wrote = ::write(file_, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return failed(errno);
    done += static_cast<std::size_t>(wrote);
  }
  size_ += bytes.size();
  bytes.clear();
  return Done{};
}

bool Runs::later(const std::unique_ptr<Open>& a, const std::unique_ptr<Open>& b) {
  return std::tie(a->reader.head.comment.id, a->number) >
         std::tie(b->reader.head.comment.id, b->number);
}

Status Runs::begin_merge() {
  merging_ = true;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < ends_.size(); begin = ends_[i++]) {
    RunReader reader(file_, begin, ends_[i], bytes_ahead / ends_.size());
    heap_.push_back(std::make_unique<Open>(Open{i, std::move(reader)}));
    if (auto read = advance(); !read) return read;
  }
  return Done{};
}

// Reads the next row of the run behind the heap, and puts the run into it; or drops the run,
// if it is at its end.
Status Runs::advance() {
  auto& reader = heap_.back()->reader;
  auto outcome = reader.next();
  if (outcome == RunReader::Outcome::failed) return failed(reader.failure);
  if (outcome == RunReader::Outcome::end) {
    heap_.pop_back();
  } else {
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  return Done{};
}

Result<std::vector<ImportRow>> Runs::take(std::size_t max_rows, std::size_t max_bytes) {
  if (!merging_) {
    TRY_DONE(begin_merge());
  }
  std::vector<ImportRow> out;
  for (std::size_t bytes = 0; !heap_.empty() && out.size() < max_rows && bytes < max_bytes;) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    auto& reader = heap_.back()->reader;
    bytes += reader.head_bytes + sizeof(ImportRow);
    out.push_back(std::move(reader.head));
    TRY_DONE(advance());
  }
  taken_ += out.size();
  return out;
}

double Runs::part() const {
  return rows_ == 0 ? 1 : static_cast<double>(taken_) / static_cast<double>(rows_);
}

}  // namespace quire
