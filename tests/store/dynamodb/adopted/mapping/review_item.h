// An item that another program wrote, and mappings of it.
#pragma once

#include <gtest/gtest.h>

#include "store/dynamodb/adopted/mapping/reading.h"

namespace quire::adopted {

using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::Type;

inline const KeyNames names{"PK", "SK"};

inline Attribute text(std::string value) {
  return dynamodb::string(std::move(value));
}
inline Attribute digits(std::string value) {
  return {Type::number, std::move(value)};
}
inline Attribute json(std::string value) {
  return {Type::other, std::move(value)};
}

inline const Item review = {{"PK", text("PRODUCT#42")},
                            {"SK", text("REVIEW#2024-11-20T12:01:00.123Z#7f")},
                            {"lang", text("en")},
                            {"stars", digits("5")},
                            {"user", text("Ann")},
                            {"headline", text("Fits")},
                            {"body", text("Warm\r\nand dry")},
                            {"verifiedPurchase", json(R"({"BOOL":true})")},
                            {"votes", digits("12")},
                            {"tags", json(R"({"SS":["fit","gift"]})")}};

inline Item with(const std::string& name, Attribute attribute) {
  Item item = review;
  item.insert_or_assign(name, std::move(attribute));
  return item;
}

// The mapping of these items, in which a line takes the place of the field's own.
inline Mapping mapping_with(const std::string& line) {
  std::string lines = R"(product = { attribute = "PK", pattern = "PRODUCT#{product}" }
created_at = { attribute = "SK", pattern = "REVIEW#{created_at}#{rest}" }
language = { attribute = "lang" }
rating = { attribute = "stars" }
text = { attribute = "body" }
)";
  auto own = lines.find("\n" + line.substr(0, line.find(' ')) + " = ");
  if (lines.starts_with(line.substr(0, line.find(' ')) + " = ")) own = 0;
  if (own != lines.npos) lines.erase(own, lines.find('\n', own + 1) - own);
  auto mapping = parse_mapping("[comment]\n" + lines + "\n" + line + "\n", "m");
  EXPECT_TRUE(mapping) << mapping.error().message;
  return std::move(mapping).value();
}

}  // namespace quire::adopted
