// An event as the body of a request. All functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quire/comment.h"
#include "webhook/webhook.h"

namespace quire::webhook {

// No body of the standard format is longer.
inline constexpr std::size_t max_body_bytes = 20'000;

// By which a receiver knows an event that it has had already: the same with each try.
std::string message_id(const Event& event);
// The mark of the event with this id. Absent: it is no such id.
std::optional<std::uint64_t> mark_of(std::string_view message_id);

// {"type","timestamp","data": {"mark","comment"}}. `data` has "new" of a comment that was just
// posted, "imported" of an import, and "truncated" where the comment is too long: then its text is
// cut, and if need be the reply, the title and the pictures. `comment` null: nothing of it is told
// any more, and `data` has the id and the product in its place.
std::string standard_body(const Event& event, const Comment* comment);

// What a sentence says besides the comment.
struct Around {
  std::string product_name = {};    // empty: its id stands for it
  std::string moderation_url = {};  // empty: there is no link
};

// {"text"}: a sentence, as Slack's incoming webhooks take it, and those of Mattermost, Rocket.Chat
// and Discord's /slack. The words of visitors neither mention people nor hide addresses behind
// other words.
std::string slack_body(const Event& event, const Comment* comment, const Around& around);

// Tells that the webhook works: no event, of no comment.
inline constexpr std::string_view test_type = "webhook.test";

}  // namespace quire::webhook
