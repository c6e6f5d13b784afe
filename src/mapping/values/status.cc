#include "mapping/values/status.h"

#include "model/moderation.h"

namespace quire {

std::optional<Moderation> status_of_word(std::string_view word) {
  auto colon = word.find(':');
  auto status = parse_status(word.substr(0, colon));
  bool rejected = status == CommentStatus::rejected;
  auto other = rejected ? std::string_view("other") : std::string_view();
  auto reason = colon == word.npos ? other : word.substr(colon + 1);
  bool fits = status && (rejected ? is_reason(reason) : colon == word.npos);
  if (!fits) return {};
  return Moderation{.status = *status, .reason = std::string(reason)};
}

}  // namespace quire
