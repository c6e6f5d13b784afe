#include "model/patch.h"

#include "model/attributes.h"
#include "model/validate.h"

namespace quire {

Comment comment_of(const Ulid& id, Draft draft) {
  return {.id = id,
          .product = std::move(draft.product),
          .language = std::move(draft.language),
          .rating = draft.rating,
          .author = std::move(draft.author),
          .title = std::move(draft.title),
          .text = std::move(draft.text),
          .attributes = std::move(draft.attributes)};
}

Result<Comment> patched(Comment comment, const Patch& patch) {
  if (patch.language) comment.language = *patch.language;
  if (patch.rating) comment.rating = *patch.rating;
  if (patch.author) comment.author = *patch.author;
  if (patch.title) comment.title = *patch.title;
  if (patch.text) comment.text = *patch.text;
  if (patch.clear_attributes) comment.attributes.clear();
  for (const auto& [name, value] : patch.attributes) {
    if (value) comment.attributes.insert_or_assign(name, *value);
    if (!value) comment.attributes.erase(name);
  }
  if (patch.attributes.empty()) return comment;
  auto errors = check_attributes(comment.attributes);
  if (!errors.empty()) return invalid_comment(std::move(errors));
  return comment;
}

}  // namespace quire
