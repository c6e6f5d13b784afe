#include "records/rejects_file.h"

#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <ios>

#include "records/container.h"
#include "records/csv.h"

namespace quire::records {

namespace json = boost::json;

namespace {

constexpr std::string_view mark = "\xEF\xBB\xBF";

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

// A field of CSV, in quotes where it needs them.
std::string field_of(std::string_view text, char delimiter) {
  constexpr std::string_view blank = " \t";
  bool plain = text.find_first_of("\"\r\n") == text.npos && text.find(delimiter) == text.npos;
  bool bare = text.empty() ||
              (blank.find(text.front()) == blank.npos && blank.find(text.back()) == blank.npos);
  return plain && bare ? std::string(text) : in_quotes(text);
}

json::object members_of(const Record& record) {
  auto members = record.members;
  if (!record.around) return members;
  for (auto inner = record.around->rbegin(); inner != record.around->rend(); ++inner)
    if (!inner->second.empty()) members.emplace(inner->first, inner->second);
  return members;
}

}  // namespace

Status RejectsFile::open(const std::string& file, Kind kind,
                         const std::vector<std::string>& columns, char delimiter) {
  kind_ = kind;
  columns_ = columns;
  delimiter_ = delimiter;
  out_.open(file, std::ios::trunc | std::ios::binary);
  if (!out_)
    return Error{ErrorCode::unavailable,
                 "Cannot write the rejects file " + file + ": " + std::strerror(errno) + "."};
  out_ << mark;
  if (kind_ != Kind::csv) return Done{};
  // In quotes: a delimiter within a name is not taken for that of the file.
  std::string header;
  for (const auto& column : columns_) header += in_quotes(column) + delimiter_;
  header += std::string(reason_name) + '\n';
  if (delimiter_of(header) != delimiter_) out_ << "sep=" << delimiter_ << '\n';
  out_ << header;
  return Done{};
}

void RejectsFile::add(const Record& record, std::string_view reason) {
  if (!is_open()) return;
  if (kind_ != Kind::csv) {
    auto members = members_of(record);
    members[reason_name] = reason;
    out_ << json::serialize(members) << '\n';
    return;
  }
  for (const auto& column : columns_) {
    auto* value = record.members.if_contains(column);
    auto text = value && value->is_string() ? std::string_view(value->get_string()) : "";
    out_ << field_of(text, delimiter_) << delimiter_;
  }
  out_ << field_of(reason, delimiter_) << '\n';
}

void RejectsFile::add(const BadRow& row) {
  if (!is_open()) return;
  if (kind_ == Kind::csv) {
    // In quotes: where the text has a quote that does not end, it then ends in this line.
    out_ << row.text << delimiter_ << in_quotes(row.reason) << '\n';
  } else {
    json::object members{{bad_row_name, row.text}, {reason_name, row.reason}};
    out_ << json::serialize(members) << '\n';
  }
}

bool RejectsFile::close() {
  if (!is_open()) return true;
  out_.close();
  return !out_.fail();
}

}  // namespace quire::records
