// Comments, drafts and patches.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "quire/customer.h"
#include "quire/ulid.h"

namespace quire {

// A value of an attribute: a flag, a whole number of at most 53 bits and a sign, a text, or at most
// 16 texts, each once, which stay in their order. A text has 1 to 100 characters.
using AttributeValue = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

// By name: [a-z][a-z0-9_]{0,31}. At most 32 names, and 4 KiB as JSON.
using Attributes = std::map<std::string, AttributeValue, std::less<>>;

// A picture that the writer shows. The page loads it from the shop's host.
struct Picture {
  std::string url;           // https://HOST/…, at most 2,000 bytes of ASCII
  std::uint32_t width = 0;   // in pixels, at most 20,000; 0: width and height are not known
  std::uint32_t height = 0;  // the same
  std::string alt = {};      // what it shows, for those who do not see it; at most 300 characters

  friend bool operator==(const Picture&, const Picture&) = default;
};
using Media = std::vector<Picture>;  // at most 8

// What the shop answers.
struct Reply {
  std::string author = {};  // empty: the shop
  std::string text;
  std::uint64_t created_ms = 0;  // since 1970

  friend bool operator==(const Reply&, const Reply&) = default;
};

// Only published comments are on pages, in counts and in any other public answer.
enum class CommentStatus : std::uint8_t { published, pending, rejected };

// The decision on a comment.
struct Moderation {
  CommentStatus status = CommentStatus::published;
  // Of a rejected comment: spam, offensive, personal, off_topic, fake, unlawful or other.
  std::string reason = {};
  std::string note = {};      // for moderators alone; at most 1,000 characters
  std::string held_by = {};   // the rule that made the comment pending; empty: none did
  std::uint64_t held_ms = 0;  // since when the comment is not published, in ms since 1970
  // Whether a moderator published it: rules and reports leave it alone until its writer edits it.
  bool decided = false;

  friend bool operator==(const Moderation&, const Moderation&) = default;
};

struct Comment {
  Ulid id;
  std::string product;
  std::string language = "und";  // a BCP 47 tag: language, script, region, in canonical case
  int rating = 0;                // 1 to 5
  std::string author;            // empty: anonymous
  std::string title;
  std::string text;
  Attributes attributes = {};
  Media media = {};
  std::optional<Reply> reply = {};
  Moderation moderation = {};
  // Who wrote it, where a customer did. No page has it.
  std::optional<CustomerHash> customer = {};

  bool published() const { return moderation.status == CommentStatus::published; }
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
  Attributes attributes = {};
  Media media = {};
  std::optional<Reply> reply = {};  // that an import brings
  Moderation moderation = {};
  bool decides = false;  // whether the writer sent a status, a reason or a note
  std::optional<CustomerHash> customer = {};
};

// A change of a comment; absent fields stay as they are.
struct Patch {
  std::optional<std::string> language = {};
  std::optional<int> rating = {};
  std::optional<std::string> author = {};
  std::optional<std::string> title = {};
  std::optional<std::string> text = {};
  bool clear_attributes = false;  // removes all attributes; those below are set afterwards
  // The new value by name; an absent value removes the attribute.
  std::map<std::string, std::optional<AttributeValue>, std::less<>> attributes = {};
  std::optional<Media> media = {};                 // in place of the present pictures
  std::optional<std::optional<Reply>> reply = {};  // nothing in it: removes the reply
  std::optional<CommentStatus> status = {};
  std::optional<std::string> reason = {};
  std::optional<std::string> note = {};

  // Whether it decides who sees the comment.
  bool decides() const { return status || reason || note; }
  // Whether it changes what the writer said.
  bool edits() const {
    return language || rating || author || title || text || media || clear_attributes ||
           !attributes.empty();
  }
};

}  // namespace quire
