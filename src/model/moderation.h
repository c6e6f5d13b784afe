// The status of comments: its names, its members in JSON, and what a decision changes.
#pragma once

#include <boost/json/object.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

std::string_view status_name(CommentStatus status);
std::optional<CommentStatus> parse_status(std::string_view name);
// The reasons for which a comment may be rejected or reported, as a sentence names them.
inline constexpr std::string_view reasons_wanted =
    "spam, offensive, personal, off_topic, fake, unlawful or other";
bool is_reason(std::string_view text);

// Makes the comment one of nobody: rating, language, flags and numbers stay. Whatever its writer
// typed goes, and so do the customer and the note about it.
void make_nobodys(Comment& comment);

// Which members of a comment's moderation its JSON has.
enum class Members {
  shown,       // status and reason, unless it is published: what its writer may see
  moderators,  // the status in any case; note, held_by and held_at as well
  kept,        // everything
};

// Appends the members to the text of a JSON object, each with a comma before it.
void append_moderation(std::string& out, const Moderation& moderation, Members members);
// The moderation in the members of an object. Absent: one of them is damaged.
std::optional<Moderation> moderation_of(const boost::json::object& members);

// What the moderator's patch makes of the present decision at `now_ms`. A patch without a status
// keeps it. invalid_comment: a rejection needs a reason, and nothing else has one.
Result<Moderation> decided(Moderation present, const Patch& patch, std::uint64_t now_ms);
// The same comment, made pending by a rule at `now_ms`.
Moderation held(Moderation present, std::string_view rule, std::uint64_t now_ms);

// What a person says against a comment.
struct Report {
  std::array<std::uint8_t, 16> person;  // a keyed hash: the same person reports a comment once
  std::uint64_t at_ms;
  std::string reason;
  std::string note;
  // Only in exports and imports: a moderator published the comment since.
  bool answered = false;
};

// A report, and the comment that it is about.
struct ReportRow {
  Ulid comment;
  Report report;
};

// Decides in the transaction of a change: sees the comment before it and after it, and may change
// its moderation, or refuse the change.
using Judge = std::function<std::optional<Error>(const Comment& before, Comment& after)>;

}  // namespace quire
