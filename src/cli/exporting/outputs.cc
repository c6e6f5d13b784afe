#include "cli/exporting/outputs.h"

#include <fmt/core.h>

#include <cstdio>
#include <utility>

#include "model/comment_json.h"
#include "model/document.h"

namespace quire::cli {

bool print_bytes(std::string_view bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
}

void JsonLines::line(std::string_view json) {
  whole_ = print_bytes(json) && std::fputc('\n', stdout) != EOF && whole_;
}

bool JsonLines::document(std::string_view document) {
  if (!customer_key_.empty() && customer_of(document))
    line(customer_key_json(std::exchange(customer_key_, {})));
  line(exported_json(document));
  return true;
}

void JsonLines::comment(const Comment& comment) {
  document(encode_document(comment, Members::kept));
}

void JsonLines::report(const Ulid& comment, const Report& report) {
  line(report_json(comment, report, contacts_));
}

void JsonLines::removed(const Ulid& id) {
  line(removed_json(id));
}

CsvFile::CsvFile(CommentRows rows) : rows_(std::move(rows)) {
  line(rows_.columns());
}

void CsvFile::line(const std::vector<std::string>& fields) {
  whole_ = print_bytes(csv_line(fields)) && whole_;
}

bool CsvFile::document(std::string_view document) {
  auto decoded = decode_document(document);
  if (decoded) comment(*decoded);
  return decoded.has_value();
}

void CsvFile::comment(const Comment& comment) {
  if (auto row = rows_.row_of(comment)) line(*row);
}

void CsvFile::tell() const {
  auto lost = rows_.lost();
  if (reports_ > 0) lost["reports"] = reports_;
  for (const auto& [what, count] : lost)
    fmt::print(stderr, "quire: not in the file as Quire has it: {} {}\n", count, what);
}

}  // namespace quire::cli
