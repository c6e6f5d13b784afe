// The conditions under which a comment and the facts of a product may be changed. A store checks
// them in the transaction of the change, so that of two changes with the same tag one is refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "product/facts.h"
#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// There is no comment with the id that a caller names, or it may not be seen.
inline Error no_such_comment() {
  return {ErrorCode::not_found, "There is no comment with this id; it may have been deleted."};
}

inline Error already_written(const Ulid& first, std::string_view why) {
  return {ErrorCode::already_written,
          std::string(why) + " The first one is " + first.text() + ".",
          {},
          {},
          first.text()};
}

// `first`: the comment that the invitation made.
inline Error used_invitation(const Ulid& first) {
  return already_written(first,
                         "This invitation was used for this product: it makes one comment of each "
                         "of its products.");
}

// `first`: the customer's comment of the same product.
inline Error second_comment(const Ulid& first) {
  return already_written(first,
                         "This customer has written a comment of this product. Change that one, or "
                         "remove it first.");
}

inline Error idempotency_conflict() {
  return {ErrorCode::idempotency_conflict,
          "This Idempotency-Key was used with another body within 24 hours. Send the same body "
          "again, or take a new key for a new comment."};
}

// The answer to the first request with the key is kept, but cannot be read.
inline Error damaged_first_answer() {
  return {ErrorCode::damaged,
          "The first answer to this Idempotency-Key is damaged. Look whether the comment is there; "
          "if it is not, send it under a new key."};
}

inline Error damaged_comment(const Ulid& id) {
  return {ErrorCode::damaged,
          "Comment " + id.text() + " in the store is damaged: run quire verify."};
}

// The tag of a comment for its moderators: votes do not change it.
std::string tag_without_votes(Comment comment);

struct Condition {
  // One of these is the comment's tag, or its tag without votes. Empty: any state.
  std::vector<std::string> tags = {};
  std::string product = {};                   // a prefix of the comment's product
  std::optional<CustomerHash> customer = {};  // who wrote it; absent: anybody

  // Whether every comment meets it: then a damaged one may be removed, too; see Store::remove().
  bool holds_always() const { return tags.empty() && product.empty() && !customer; }
  // Why the comment stored as `document` may not be changed: forbidden or precondition_failed;
  // not_found where it is not published, and of another product, or of another customer.
  Status check(const Comment& comment, std::string_view document) const;
};

// The same of what the shop tells of a product.
struct FactsCondition {
  std::vector<std::string> tags = {};  // the facts' is one of these, see facts_tag(); empty: any
  bool told = false;                   // there are facts
  bool untold = false;                 // there are none

  Status check(const std::string& product, const std::optional<ProductFacts>& facts) const;
};

}  // namespace quire
