#include "mapping/values/status.h"

#include "model/moderation.h"

namespace quire {

std::optional<Moderation> status_of_word(std::string_view word) {
  auto colon = word.find(':');
  auto status = parse_status(word.substr(0, colon));
  auto reason = colon == word.npos ? std::string_view() : word.substr(colon + 1);
  bool rejected = status == CommentStatus::rejected;
  bool fits = status && (rejected ? is_reason(reason) : colon == word.npos);
  if (!fits) return {};
  return Moderation{.status = *status, .reason = std::string(reason)};
}

}  // namespace quire
