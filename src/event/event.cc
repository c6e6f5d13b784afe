#include "event/event.h"

namespace quire {

std::string_view event_name(EventType type) {
  switch (type) {
    case EventType::published:
      return "comment.published";
    case EventType::held:
      return "comment.held";
    case EventType::changed:
      return "comment.changed";
    case EventType::rejected:
      return "comment.rejected";
    case EventType::removed:
      return "comment.removed";
    case EventType::reported:
      return "comment.reported";
    case EventType::replied:
      return "comment.replied";
    case EventType::erased:
      return "customer.erased";
    case EventType::voted:
      return "comment.voted";
  }
  return "";
}

EventType event_of(CommentStatus status) {
  if (status == CommentStatus::published) return EventType::published;
  return status == CommentStatus::pending ? EventType::held : EventType::rejected;
}

EventType event_between(const Comment& before, const Comment& after) {
  if (before.moderation.status != after.moderation.status) return event_of(after.moderation.status);
  bool replied = after.reply && after.reply != before.reply;
  return replied ? EventType::replied : EventType::changed;
}

}  // namespace quire
