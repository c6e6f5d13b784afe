// A row of an import, as a mapping makes it of a record. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quire/comment.h"

namespace quire {

struct MappedRow {
  std::optional<Ulid> id = {};
  std::string product = {};
  std::string language = {};  // empty: the row names none
  int rating = 0;
  std::uint64_t created_ms = 0;  // since 1970
  std::string author = {}, title = {}, text = {};
  Attributes attributes = {};
  std::vector<std::string> pictures = {};  // addresses
  std::optional<Reply> reply = {};
  Moderation moderation = {};
  std::string customer_id = {};  // empty: there is none
};

// One line of compact JSON, without an end of line. Members are in the order above.
std::string json_of(const MappedRow& row);

}  // namespace quire
