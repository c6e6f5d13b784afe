#include "service/product_languages.h"

#include <functional>
#include <string_view>

#include "base/limits.h"
#include "base/try.h"
#include "loop/loop.h"
#include "model/counts.h"
#include "model/validate.h"
#include "store/successors.h"

namespace quire {
namespace {

std::uint64_t pair_of(std::uint64_t name, FacetValue language) {
  std::uint64_t parts[] = {name, language};
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(parts), sizeof parts});
}

}  // namespace

// A store that sorts on this machine's disk is there, too, and costs microseconds to ask. Another
// costs a request, so it is asked where a file has a second language of a product: most products
// have one, and a file with one adds at most that.
ProductLanguages::ProductLanguages(Store& store)
    : store_(store), ask_from_(store.sorting_directory().empty() ? 1 : 0) {}

Status ProductLanguages::check(const Comment& comment) {
  TRY_DONE(store_.check(comment));
  if (!comment.published()) return Done{};
  if (pairs_.size() >= max_pairs) {
    pairs_.clear();
    products_.clear();
  }
  auto name = std::hash<std::string_view>()(comment.product);
  auto language = list_facets[language_facet].parse(comment.language).value_or(any);
  if (pairs_.contains(pair_of(name, language))) return Done{};
  auto& product = products_[name];
  if (!product.asked && product.languages >= ask_from_) {
    product.asked = true;
    auto* successors = store_.successors();
    auto to = successors ? successors->successor(comment.product) : std::nullopt;
    auto view = store_.view();
    // A store that does not answer fails the import by itself.
    if (auto counts = wait(view->counts(to ? *to : comment.product)))
      for (const auto& row : counts->rows())
        product.languages += pairs_.insert(pair_of(name, row.cell[language_facet])).second;
  }
  if (pairs_.contains(pair_of(name, language))) return Done{};
  if (product.languages >= limits::product_languages) return too_many_languages();
  pairs_.insert(pair_of(name, language));
  ++product.languages;
  return Done{};
}

}  // namespace quire
