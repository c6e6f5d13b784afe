// What a comment must be for a change to be made. A store looks at it in the change's own
// transaction, so that of two changes with the same tag one is refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

struct Condition {
  std::vector<std::string> tags = {};  // one of them is document_tag(); empty: any state will do
  std::string product = {};            // the comment's product begins with this

  // Whether nothing is asked of the comment: then a damaged one can be removed, too.
  bool holds_always() const { return tags.empty() && product.empty(); }
  // Why the comment, which is stored as `document`, may not be changed: forbidden or
  // precondition_failed. Nothing: it may.
  std::optional<Error> refuses(const Comment& comment, std::string_view document) const;
};

}  // namespace quire
