#include "google/zip.h"

#include <algorithm>
#include <new>
#include <utility>

namespace quire::google {
namespace {

constexpr int level = 4;
constexpr std::uint64_t max_bytes = UINT32_MAX, max_files = UINT16_MAX;
constexpr std::uint16_t version = 20, deflated = 8, utf8_names = 1 << 11;
constexpr std::uint16_t no_time = 0, first_day = 0x21;  // 1980-01-01: there is no earlier one

void append(std::string& out, std::uint64_t number, int bytes) {
  for (; bytes > 0; --bytes, number >>= 8) out += static_cast<char>(number & 0xff);
}

// What the headers of a file have in common.
void append_facts(std::string& out, std::uint32_t check, std::uint64_t packed, std::uint64_t size,
                  const std::string& name) {
  append(out, version, 2);
  append(out, utf8_names, 2);
  append(out, deflated, 2);
  append(out, no_time, 2);
  append(out, first_day, 2);
  append(out, check, 4);
  append(out, packed, 4);
  append(out, size, 4);
  append(out, name.size(), 2);
  append(out, 0, 2);  // no extra field
}

}  // namespace

Zip::Zip(OutFile& out) : out_(out) {
  constexpr int raw_window = -15, memory = 8;
  if (deflateInit2(&stream_, level, Z_DEFLATED, raw_window, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

Zip::~Zip() {
  deflateEnd(&stream_);
}

void Zip::begin(std::string name) {
  std::string header = "PK\x03\x04";
  append_facts(header, 0, 0, 0, name);
  header += name;
  entries_.push_back({std::move(name), out_.size()});
  out_.add(header);
  deflateReset(&stream_);
}

void Zip::add(std::string_view bytes) {
  if (bytes.empty()) return;
  auto& entry = entries_.back();
  entry.size += bytes.size();
  entry.check = static_cast<std::uint32_t>(crc32(
      entry.check, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
  pack(bytes, Z_NO_FLUSH);
}

void Zip::pack(std::string_view bytes, int flush) {
  char room[16 * 1024];
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(room);
    stream_.avail_out = sizeof room;
    deflate(&stream_, flush);
    auto size = sizeof room - stream_.avail_out;
    out_.add({room, size});
    entries_.back().packed += size;
  } while (stream_.avail_out == 0);
}

void Zip::end() {
  pack({}, Z_FINISH);
  const auto& entry = entries_.back();
  std::string header = "PK\x03\x04";
  append_facts(header, entry.check, entry.packed, entry.size, entry.name);
  out_.put_at(entry.offset, header);
}

Status Zip::finish() {
  auto begin = out_.size();
  for (const auto& [name, offset, packed, size, check] : entries_) {
    std::string header = "PK\x01\x02";
    append(header, version, 2);
    append_facts(header, check, packed, size, name);
    append(header, 0, 2);  // no comment
    append(header, 0, 2);  // the first disk
    append(header, 0, 2);
    append(header, 0, 4);
    append(header, offset, 4);
    out_.add(header + name);
  }
  auto end = out_.size();
  std::string last = "PK\x05\x06";
  append(last, 0, 4);
  append(last, entries_.size(), 2);
  append(last, entries_.size(), 2);
  append(last, end - begin, 4);
  append(last, begin, 4);
  append(last, 0, 2);
  out_.add(last);
  if (out_.size() > max_bytes || entries_.size() > max_files)
    return Error{ErrorCode::unavailable, "The feed is too large for a .zip: 4 GiB at most."};
  return out_.finish();
}

}  // namespace quire::google
