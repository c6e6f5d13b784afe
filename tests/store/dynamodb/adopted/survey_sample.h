// Samples of tables, and how many comments a proposed mapping finds in them.
#pragma once

#include <gtest/gtest.h>

#include "store/dynamodb/adopted/mapping/reading.h"
#include "store/dynamodb/adopted/survey.h"

namespace quire::adopted {

using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::TableDescription;
using dynamodb::Type;

inline TableDescription table_of(std::vector<dynamodb::Key> keys) {
  TableDescription table;
  table.keys = std::move(keys);
  table.stream = "arn";
  return table;
}

inline std::size_t comments_in(const std::string& text, const KeyNames& names,
                               const std::vector<Item>& sample) {
  auto mapping = parse_mapping(text, "m");
  EXPECT_TRUE(mapping) << mapping.error().message << "\n" << text;
  if (!mapping) return 0;
  std::size_t comments = 0;
  for (const auto& item : sample) comments += read_item(*mapping, names, item).comment.has_value();
  return comments;
}

}  // namespace quire::adopted
