// A row of an import, as a mapping makes it of a record. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
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

// The hash of an id that the records of a source have.
Digest hash_of(std::string_view source, std::string_view id);
// The id of the comment that has such an id: of its time, and of the first 80 bits of the hash.
Ulid id_of(std::uint64_t created_ms, const Digest& hash);

// One line of compact JSON, without an end of line. Members are in the order above.
std::string json_of(const MappedRow& row);

}  // namespace quire
