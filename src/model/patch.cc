#include "model/patch.h"

namespace quire {

Comment patched(Comment comment, const Patch& patch) {
  if (patch.language) comment.language = *patch.language;
  if (patch.rating) comment.rating = *patch.rating;
  if (patch.author) comment.author = *patch.author;
  if (patch.title) comment.title = *patch.title;
  if (patch.text) comment.text = *patch.text;
  return comment;
}

}  // namespace quire
