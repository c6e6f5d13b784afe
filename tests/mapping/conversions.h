// Converts records that a test writes as JSON.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mapping/conversion.h"

namespace quire {

// The record without members that a converter does not look at.
inline Record looked_at(const Converter& conversion, Record record) {
  auto names = conversion.looked_at();
  auto members = std::exchange(record.members, {});
  for (auto& [name, value] : members)
    if (names.contains(name)) record.members.emplace(name, std::move(value));
  return record;
}

// The rows, and of other records the reason or why, each in its place.
inline std::vector<std::string> convert_all(Converter& conversion,
                                            const std::vector<Record>& records) {
  std::vector<std::string> out;
  for (const auto& record : records) conversion.look(looked_at(conversion, record));
  if (auto looked = conversion.looked(); !looked) return {looked.error().message};
  for (const auto& record : records) {
    auto result = conversion.convert(record);
    if (auto* row = std::get_if<ConvertedRow>(&result)) out.push_back(row->json);
    if (auto* over = std::get_if<PassedOver>(&result)) out.push_back(over->why);
    if (auto* rejected = std::get_if<Rejected>(&result)) out.push_back(rejected->reason);
  }
  return out;
}

// `records`: the elements of an array.
inline std::vector<Record> records_in(const std::string& records) {
  std::vector<Record> out;
  auto array = boost::json::parse("[" + records + "]");
  for (auto& each : array.as_array()) {
    auto& record = out.emplace_back();
    record.members = std::move(each.as_object());
    record.line = out.size();
  }
  return out;
}

inline FileMapping mapping_in(const std::string& toml) {
  auto mapping = parse_file_mapping(toml, "m");
  EXPECT_TRUE(mapping) << mapping.error().message;
  return std::move(mapping).value();
}

// The [comment] of a mapping whose fields are single letters, with `more` lines.
inline std::string comment_section(const std::string& more) {
  return "[comment]\nproduct.column = \"p\"\nrating.column = \"r\"\ncreated_at.column = \"d\"\n" +
         more;
}

}  // namespace quire
