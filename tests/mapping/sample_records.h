// Reads the samples' files as records, as far as the samples need it.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mapping/record.h"

namespace quire {

inline std::string sample(const std::string& name) {
  std::ifstream in(std::filesystem::path(QUIRE_SAMPLES) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

inline Record record_of(boost::json::value value, std::uint64_t line = 1) {
  return {.members = std::move(value.as_object()), .line = line};
}

inline std::vector<Record> records_of_array(const std::string& text) {
  std::vector<Record> records;
  auto array = boost::json::parse(text);
  for (auto& each : array.as_array())
    records.push_back(record_of(std::move(each), records.size() + 1));
  return records;
}

inline std::vector<Record> records_of_lines(const std::string& text) {
  std::vector<Record> records;
  for (const auto& line : lines_of(text))
    records.push_back(record_of(boost::json::parse(line), records.size() + 1));
  return records;
}

// The value of a typed one of DynamoDB: {"S": "a"}.
inline boost::json::value untyped(const boost::json::value& typed) {
  const auto& [type, value] = *typed.as_object().begin();
  if (type == "NULL") return nullptr;
  if (type != "M") return value;
  boost::json::object out;
  for (const auto& [name, each] : value.as_object()) out[name] = untyped(each);
  return out;
}

inline std::vector<Record> records_of_items(const std::string& text) {
  auto records = records_of_lines(text);
  for (auto& record : records) {
    boost::json::object out;
    for (const auto& [name, each] : record.members.at("Item").as_object())
      out[name] = untyped(each);
    record.members = std::move(out);
  }
  return records;
}

// Quoted fields may have delimiters and lines. CR LF ends a row as LF does.
inline std::vector<Record> records_of_csv(const std::string& text, char delimiter) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == delimiter && !quoted) {
      rows.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      rows.push_back({""});
    } else if (c != '\r' || quoted) {
      rows.back().back() += c;
    }
  }
  std::vector<Record> records;
  for (std::size_t row = 1; row + 1 < rows.size(); ++row) {
    auto& record = records.emplace_back();
    record.line = row + 1;
    for (std::size_t i = 0; i < rows[0].size(); ++i) record.members[rows[0][i]] = rows[row].at(i);
  }
  return records;
}

}  // namespace quire
