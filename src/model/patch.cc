#include "model/patch.h"

namespace quire {

Comment comment_of(const Ulid& id, Draft draft) {
  return {.id = id,
          .product = std::move(draft.product),
          .language = std::move(draft.language),
          .rating = draft.rating,
          .author = std::move(draft.author),
          .title = std::move(draft.title),
          .text = std::move(draft.text)};
}

Comment patched(Comment comment, const Patch& patch) {
  if (patch.language) comment.language = *patch.language;
  if (patch.rating) comment.rating = *patch.rating;
  if (patch.author) comment.author = *patch.author;
  if (patch.title) comment.title = *patch.title;
  if (patch.text) comment.text = *patch.text;
  return comment;
}

}  // namespace quire
