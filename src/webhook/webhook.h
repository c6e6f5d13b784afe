// A webhook of the shop file, an event, and which webhook wants which event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/comment.h"
#include "webhook/signature.h"

namespace quire::webhook {

// What happened, once. The comment is read when the event is told.
struct Event {
  std::uint64_t mark;     // rises from event to event; about the microseconds since 1970
  std::uint64_t time_ms;  // when it happened, since 1970
  std::string type;       // one of event_types
  std::optional<Ulid> id = {};
  std::string product = {};
  bool is_new = false;    // whether the comment was posted by it
  bool imported = false;  // whether an import made it

  friend bool operator==(const Event&, const Event&) = default;
};

// Asks for new comments, whether they are published or held.
inline constexpr std::string_view posted = "comment.posted";
inline constexpr std::string_view voted = "comment.voted";
inline constexpr std::string_view event_types[] = {
    "comment.published", "comment.held",    "comment.changed",
    "comment.rejected",  "comment.removed", "comment.reported",
    "comment.replied",   "comment.voted",   "customer.erased"};

// Whether the shop file may ask for it: a type of events, or `posted`.
bool is_event_name(std::string_view name);

enum class Format { standard, slack };

// Immutable once it is read, so thread-safe.
struct Webhook {
  std::string name = {};  // a-z, 0-9, - and _, at most 32
  std::string url = {};   // as parse_web_address() takes it
  Format format = Format::standard;
  std::vector<Secret> secrets = {};  // a signature by each
  // Names of events. Empty: all but votes; of Slack, new comments.
  std::vector<std::string> events = {};
  int max_rating = 5;
  std::vector<std::string> languages = {};  // in canonical form; empty: any
  std::vector<std::string> products = {};   // beginnings of their ids; empty: any
  bool imported = false;                    // wants what imports make, too
  bool private_network = false;             // may go to this machine and its networks

  // Whether it wants the event, as far as the event itself tells.
  bool wants(const Event& event) const;
  // Whether it wants an event of this comment. Null: nothing of the comment is told any more. Then
  // a webhook that asks for ratings or languages, and Slack, want its removal alone, since they may
  // have been told of the comment.
  bool wants(const Event& event, const Comment* comment) const;
};

}  // namespace quire::webhook
