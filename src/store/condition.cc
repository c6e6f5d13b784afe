#include "store/condition.h"

#include <algorithm>

#include "model/document.h"
#include "model/vote.h"

namespace quire {

std::string tag_without_votes(Comment comment) {
  set_tally(comment.attributes, {});
  return document_tag(encode_document(comment));
}

Status Condition::check(const Comment& comment, std::string_view document) const {
  if (customer && comment.customer != customer) return no_such_comment();
  if (!comment.product.starts_with(product)) {
    if (!comment.published()) return no_such_comment();
    return Error{ErrorCode::forbidden,
                 "This token may only change comments of products that begin with \"" + product +
                     "\". Use a token for this product."};
  }
  if (tags.empty()) return Done{};
  auto named = [&](const std::string& tag) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  if (named(document_tag(document)) || named(tag_without_votes(comment))) return Done{};
  return Error{ErrorCode::precondition_failed,
               "The comment is no longer what If-Match says. Read it again, and repeat the change "
               "with its present ETag.",
               "If-Match"};
}

Status FactsCondition::check(const std::string& product,
                             const std::optional<ProductFacts>& facts) const {
  if (untold && facts)
    return Error{ErrorCode::precondition_failed,
                 "There are facts of this product. Leave out If-None-Match to replace them.",
                 "If-None-Match"};
  bool met = facts ? tags.empty() || std::find(tags.begin(), tags.end(),
                                               facts_tag({product, *facts})) != tags.end()
                   : !told;
  if (met) return Done{};
  return Error{ErrorCode::precondition_failed,
               "The facts are no longer those that If-Match names. Read them again, and repeat the "
               "change with their present ETag.",
               "If-Match"};
}

}  // namespace quire
