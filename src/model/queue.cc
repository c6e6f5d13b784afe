#include "model/queue.h"

#include <algorithm>

namespace quire {

bool QueueQuestion::matches(const Comment& comment) const {
  auto wanted = [](const auto& values, const auto& value) {
    return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
  };
  return (product.empty() || product == comment.product) &&
         comment.product.starts_with(product_prefix) && wanted(languages, comment.language) &&
         wanted(ratings, comment.rating);
}

void QueuePage::arrange(const QueueQuestion& question, std::optional<Ulid> further,
                        std::optional<Ulid> back) {
  next = question.before ? back : further;
  previous = question.before ? further : back;
  if (question.before) std::reverse(rows.begin(), rows.end());
}

}  // namespace quire
