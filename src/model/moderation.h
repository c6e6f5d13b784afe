// Moderation: the names of statuses, their members in JSON, and what a decision changes.
#pragma once

#include <boost/json/object.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/comment.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire {

std::string_view status_name(CommentStatus status);
std::optional<CommentStatus> parse_status(std::string_view name);
// The reasons for which a comment may be rejected or reported; and as a sentence names them.
inline constexpr std::array<std::string_view, 7> reasons = {
    "spam", "offensive", "personal", "off_topic", "fake", "unlawful", "other"};
inline constexpr std::string_view reasons_wanted =
    "spam, offensive, personal, off_topic, fake, unlawful or other";
bool is_reason(std::string_view text);

// Removes whatever the writer typed, the customer, the shop's reply and the note about the comment.
// Product, rating, language, flags, numbers and the decision stay.
void anonymize(Comment& comment);

// Which members about moderation the JSON of a comment includes.
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

// How the person who gave a notice can be reached. Moderators alone read it.
struct Contact {
  std::string name = {};
  std::string mail = {};
  // When a moderator published or rejected the comment, in ms since 1970; 0: none has, since then.
  std::uint64_t decided_ms = 0;

  bool none() const { return name.empty() && mail.empty(); }
  // Whether it is kept without a bound, until a moderator decides.
  bool waits() const { return !none() && decided_ms == 0; }
  bool is_decided_before(std::uint64_t ms) const {
    return !none() && decided_ms > 0 && decided_ms < ms;
  }
  friend bool operator==(const Contact&, const Contact&) = default;
};
// How long it is kept after that.
inline constexpr std::uint64_t contact_kept_ms = 180ull * 24 * 60 * 60 * 1000;

// What a person says against a comment.
struct Report {
  std::array<std::uint8_t, 16> person;  // a keyed hash: the same person reports a comment once
  std::uint64_t at_ms;
  std::string reason;
  std::string note;
  // Only in exports and imports: a moderator published the comment since.
  bool answered = false;
  Contact contact = {};
};

// invalid_comment: names every member of the report that cannot be kept.
Status check(const Report& report);

// A report, and the comment that it is about.
struct ReportRow {
  Ulid comment;
  Report report;
};
// The line of an export. `with_contact`: for those who may know who gave a notice.
std::string report_json(const Ulid& comment, const Report& report, bool with_contact = false);
// Appends name, mail and the time of the decision to the text of a JSON object, each with a comma
// before it.
void append_contact(std::string& out, const Contact& contact);

// Decides in the transaction of a change: sees the comment before it and after it, and may change
// its moderation, or refuse the change.
using Moderate = std::function<Status(const Comment& before, Comment& after)>;

// How many comments have which status.
struct StatusTotals {
  std::array<std::uint64_t, 3> comments;  // by status
  // When the oldest pending comment began to wait, in ms since 1970; 0: none waits.
  std::uint64_t waits_since_ms = 0;
};

}  // namespace quire
