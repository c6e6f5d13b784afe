#include "cli/importing/rejects.h"

#include <fmt/core.h>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

constexpr std::string_view member = ",\"quire_reason\":";

// The part of a reason that rows of one kind share: a row's own value stands at the end, in quotes.
std::string_view kind_of(std::string_view reason) {
  return reason.substr(0, reason.rfind(": \""));
}

Error not_written(const std::string& file) {
  return {ErrorCode::unavailable,
          fmt::format("Cannot write the rejects file {}: {}.", file, std::strerror(errno))};
}

bool is_object(std::string_view line) {
  return line.starts_with('{') && line.ends_with('}');
}

}  // namespace

std::string_view without_reason(std::string_view line, std::string& buffer) {
  auto begin = line.rfind(member);
  if (begin == line.npos || !line.ends_with("\"}")) return line;
  // A text that has these bytes has its quotes escaped; behind the member there is one text alone.
  auto text = line.substr(begin + member.size(), line.size() - begin - member.size() - 1);
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return line;
  }
  if (!text.starts_with('"')) return line;
  buffer.assign(line.substr(0, begin)).append("}");
  return buffer;
}

Result<Rejects> Rejects::to(const std::string& file, const std::vector<std::string>& inputs) {
  for (const auto& input : inputs) {
    std::error_code missing;
    auto path = input == "-" ? "/dev/stdin" : input;
    if (!file.empty() && std::filesystem::equivalent(file, path, missing)) {
      return Error{ErrorCode::invalid_parameter,
                   "--rejects names a file that is imported: " + file + ". Name another file."};
    }
  }
  Rejects rejects;
  rejects.file_ = file;
  return rejects;
}

Status Rejects::open() {
  if (file_.empty() || lines_.is_open() || rows_.is_open()) return Done{};
  lines_.open(file_, std::ios::trunc | std::ios::binary);
  if (!lines_) return not_written(file_);
  return Done{};
}

Status Rejects::open(records::Kind kind, const std::vector<std::string>& columns, char delimiter) {
  if (file_.empty()) return Done{};
  if (rows_.is_open() && kind == kind_ && columns == columns_) return Done{};
  if (rows_.is_open()) {
    return Error{ErrorCode::invalid_parameter,
                 "The files that are imported have different columns, so their rejected rows do "
                 "not fit into one file. Import them one by one, each with its own --rejects."};
  }
  kind_ = kind;
  columns_ = columns;
  return rows_.open(file_, kind, columns, delimiter);
}

void Rejects::add(const Origin& origin, std::string_view reason) {
  ++count_;
  auto kind = kind_of(reason);
  auto known = reasons_.find(kind);
  if (known == reasons_.end() && reasons_.size() == max_reasons) {
    ++others_;
  } else if (known == reasons_.end()) {
    auto example = fmt::format("{}:{}: {}", origin.file, origin.line, printable(reason));
    reasons_.emplace(kind, Reason{std::move(example), 1});
  } else {
    ++known->second.rows;
  }
  keep(origin, reason);
}

void Rejects::keep(const Origin& origin, std::string_view reason) {
  if (const auto* line = std::get_if<std::string_view>(&origin.row)) {
    if (!lines_.is_open()) return;
    if (!is_object(*line)) return void(lines_ << *line << '\n');
    auto text = boost::json::serialize(boost::json::string(reason));
    auto empty = line->find_first_not_of(" \t", 1) == line->size() - 1;  // {}
    lines_ << line->substr(0, line->size() - 1) << member.substr(empty ? 1 : 0) << text << "}\n";
  } else if (rows_.is_open()) {
    if (const auto* record = std::get_if<const Record*>(&origin.row)) rows_.add(**record, reason);
    if (const auto* bad = std::get_if<const records::BadRow*>(&origin.row)) rows_.add(**bad);
  }
}

Status Rejects::finish() {
  for (const auto& [kind, reason] : reasons_) {
    auto more = reason.rows > 1 ? fmt::format(" ({} rows)", reason.rows) : "";
    fmt::print(stderr, "{}{}\n", reason.example, more);
  }
  if (others_ > 0) fmt::print(stderr, "… and {} rows for other reasons\n", others_);
  if (count_ > 0 && file_.empty())
    fmt::print(stderr, "--rejects FILE keeps rows that are rejected\n");
  if (lines_.is_open()) {
    lines_.close();
    if (lines_.fail()) return not_written(file_);
  }
  if (!rows_.close()) return not_written(file_);
  return Done{};
}

}  // namespace quire::cli
