#include "store/embedded/upgrade/old_rows.h"

#include <algorithm>
#include <string>

#include "model/document.h"

namespace quire::embedded {
namespace {

constexpr char old_version = 1;  // of documents and of products' rows

// Two or three letters, then zeros up to `size` bytes.
std::optional<FacetValue> old_language(std::string_view bytes) {
  auto letters = bytes.substr(0, std::min(bytes.find('\0'), bytes.size()));
  if (bytes.find_first_not_of('\0', letters.size()) != bytes.npos) return {};
  return list_facets[language_facet].parse(letters);
}

}  // namespace

std::optional<Comment> decode_old_document(std::string_view bytes) {
  constexpr std::size_t head = 5;  // version, language (3), rating
  if (bytes.size() <= head || bytes[0] != old_version) return {};
  auto comment = comment_of(bytes.substr(head));
  if (!comment) return {};
  Cell header{old_language(bytes.substr(1, 3)).value_or(any), static_cast<FacetValue>(bytes[4])};
  if (header != cell(comment->language, comment->rating)) return {};
  return comment;
}

std::optional<ProductRow> decode_old_product(std::string_view bytes) {
  constexpr std::size_t head = 8;       // version, three spare bytes, block
  constexpr std::size_t language = 48;  // a spare byte, letters (3), block, five counts
  if (bytes.size() < head || (bytes.size() - head) % language != 0 || bytes[0] != old_version)
    return {};
  ProductRow row{get_u32(&bytes[4])};
  for (auto at = head; at < bytes.size(); at += language) {
    auto value = old_language(bytes.substr(at + 1, 3));
    if (!value || bytes[at] != 0) return {};
    for (FacetValue rating = 1; rating <= 5; ++rating) {
      auto comments = get_u64(&bytes[at + 8 * rating]);
      if (comments > 0) row.count({*value, rating}) += comments;
    }
  }
  return row;
}

}  // namespace quire::embedded
