// What a shop decides: its name, and which comments wait for a moderator. Read from the shop file,
// which docs/shop.md describes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quire/comment.h"
#include "quire/result.h"
#include "shop/phrases.h"

namespace quire::shop {

// Which comments wait until a moderator publishes them.
enum class Hold { none, all, rules };

// Immutable once it is read, so thread-safe.
struct Shop {
  std::string name = {};  // empty: the pages have Quire's
  Hold hold = Hold::none;
  bool links = false;  // the rules of Hold::rules
  Phrases words = {};
  int reports = 0;         // reports of so many people put a comment back to pending; 0: never
  std::string print = {};  // another shop file has another print; empty: there is none

  // The rule that holds this comment back: "all", "links" or "words". Nothing: it is published.
  // Author, title, text and the texts of attributes are looked at, each by itself.
  std::optional<std::string_view> holds(const Comment& comment) const;
};

// Reads a shop file, and the files that it names, whose paths are relative to it.
// invalid_parameter: a file cannot be read or has faults. The message has a line for each, such as
// "shop.toml:3: …", at most 20.
Result<Shop> read(const std::string& path);

}  // namespace quire::shop
