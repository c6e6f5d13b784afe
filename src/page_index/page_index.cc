#include "page_index/page_index.h"

#include "page_index/facet_view.h"

namespace quire {

Error changes_too_fast() {
  return {ErrorCode::unavailable,
          "The page index changes too fast to number this page. Try again."};
}

Comment comment_of(const IndexedComment& indexed, const Schema& schema) {
  Comment comment{.id = indexed.id, .language = {}};
  for (const auto& [number, value] : indexed.values) {
    if (number == language_number)
      comment.language = std::get<std::string>(value);
    else if (number == rating_number)
      comment.rating = static_cast<int>(std::get<std::int64_t>(value));
    else if (const auto* facet = schema.find(number))
      comment.attributes.emplace(facet->facet().name, value);
  }
  return comment;
}

Result<std::unique_ptr<FacetView>> PageIndex::facet_view() {
  return std::unique_ptr<FacetView>();
}

Awaitable<Result<std::vector<std::string>>> PageIndex::flaws(std::string) {
  co_return std::vector<std::string>();
}

}  // namespace quire
