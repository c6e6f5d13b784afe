// Events: what happened to comments, one for each change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quire/comment.h"
#include "quire/ulid.h"

namespace quire {

// The place of an event in the log: rises, and is never given twice. About the time in microseconds
// since 1970, so it fits a number of JSON.
using EventMark = std::uint64_t;

// The values are part of rows.
enum class EventType : std::uint8_t {
  published = 1,  // the comment is on lists from now on
  held = 2,       // it waits for a moderator
  changed = 3,    // it has something else, and the same status
  rejected = 4,
  removed = 5,
  reported = 6,
  replied = 7,  // the shop's reply was set
  erased = 8,   // a customer; the event is of no comment
  voted = 9,    // its counts of votes changed
};
// "comment.published", "customer.erased".
std::string_view event_name(EventType type);
// How a comment got this status.
EventType event_of(CommentStatus status);
// What happened between two states of a comment that differ.
EventType event_between(const Comment& before, const Comment& after);

struct Event {
  EventMark mark = 0;
  std::uint64_t time_ms = 0;  // since 1970
  EventType type = EventType::changed;
  bool fresh = false;        // the comment was not there before
  bool imported = false;     // an import did it
  Ulid id = {};              // of the comment; zeros where the event is of none
  std::string product = {};  // its product; empty where the event is of no comment

  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace quire
