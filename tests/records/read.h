// What the tests of records share: a file of a text, and what a reader makes of it.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <boost/json.hpp>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/reader.h"
#include "temporary_directory.h"

namespace quire::records {

inline std::string file_of(std::string_view bytes) {
  static TemporaryDirectory directory;
  static int number = 0;
  auto file = directory.path() + "/" + std::to_string(number++ % 8);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  return file;
}

// A row as a line: "3 {…}", with "around …" before it where there is some, or "3 bad: reason" and
// its text. The last line may be "error: …", without the file's name.
using Lines = std::vector<std::string>;

inline std::string line_of(const Record& record) {
  std::string line = std::to_string(record.line) + " ";
  if (record.around)
    for (const auto& [name, members] : *record.around)
      if (!members.empty()) line += name + boost::json::serialize(members) + " ";
  return line + boost::json::serialize(record.members);
}

inline Lines read_rows(Reader& reader, const std::string& file) {
  Lines lines;
  for (;;) {
    auto row = reader.next();
    if (!row) {
      lines.push_back("error:" + row.error().message.substr(file.size() + 1));
      EXPECT_EQ(row.error().message.substr(0, file.size()), file);
      EXPECT_FALSE(reader.next()) << "an error is final";
      return lines;
    }
    if (std::holds_alternative<End>(*row)) return lines;
    if (auto* record = std::get_if<Record>(&*row)) {
      lines.push_back(line_of(*record));
      continue;
    }
    const auto& bad = std::get<BadRow>(*row);
    lines.push_back(std::to_string(bad.line) + " bad: " + bad.reason + " " + bad.text);
  }
}

inline Lines rows_of(std::string_view bytes, const Form& form = {}, std::size_t piece = 1 << 16) {
  auto file = file_of(bytes);
  auto reader = Reader::open(file, form, piece);
  if (reader) return read_rows(**reader, file);
  auto message = reader.error().message;
  return {"error:" + (message.starts_with(file) ? message.substr(file.size() + 1) : message)};
}

// The rows, which are the same wherever the bytes are cut.
inline Lines cut_rows_of(std::string_view bytes, const Form& form = {}) {
  auto rows = rows_of(bytes, form);
  for (std::size_t piece : {1, 2, 3, 7}) EXPECT_EQ(rows_of(bytes, form, piece), rows) << piece;
  return rows;
}

inline std::string gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// A text of ASCII in UTF-16, without a mark.
inline std::string utf16(std::string_view text, bool big_endian) {
  std::string out;
  for (char c : text) {
    if (big_endian) out += '\0';
    out += c;
    if (!big_endian) out += '\0';
  }
  return out;
}

}  // namespace quire::records
