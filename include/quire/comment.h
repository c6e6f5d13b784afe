// Comments, drafts and patches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "quire/ulid.h"

namespace quire {

struct Comment {
  Ulid id;
  std::string product;
  std::string language = "und";  // two or three lower-case letters
  int rating = 0;                // 1 to 5
  std::string author;            // empty: anonymous
  std::string title;
  std::string text;

  std::uint64_t created_ms() const { return id.ms(); }
  friend bool operator==(const Comment&, const Comment&) = default;
};

// A comment that has no id yet.
struct Draft {
  std::string product;
  std::string language = "und";
  int rating = 0;
  std::string author = {};
  std::string title = {};
  std::string text = {};
  std::optional<std::uint64_t> created_ms = {};  // ms since 1970; absent: now
};

// A change of a comment; absent fields stay as they are.
struct Patch {
  std::optional<std::string> language = {};
  std::optional<int> rating = {};
  std::optional<std::string> author = {};
  std::optional<std::string> title = {};
  std::optional<std::string> text = {};
};

}  // namespace quire
