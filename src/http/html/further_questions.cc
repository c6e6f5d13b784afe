// What a page asks besides its list.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "http/accept.h"
#include "http/found_words.h"
#include "http/html/facet_values.h"
#include "http/html/labels.h"
#include "http/html/parts.h"
#include "http/html/shown_comment.h"
#include "http/html/web_pages.h"
#include "http/query.h"
#include "model/document.h"

namespace quire::http {
namespace {

// Whether the document could be decoded, and the comment helped where that is asked for.
bool add_pick(Picks& out, std::string_view document, bool most_helpful) {
  auto comment = decode_document(document);
  if (!comment || (most_helpful && helpful_of(*comment) == 0)) return false;
  out.comments.push_back(excerpt_of(std::move(*comment)));
  out.most_helpful.push_back(most_helpful);
  out.hashes.push_back(long_hash(document));
  return true;
}

}  // namespace

Awaitable<Picks> WebPages::picks(const PageRequest& asked, const FoundPage& page) const {
  Query query = asked.query;
  if (asked.own_language) query.languages.clear();
  const auto* helpful = counts_of(page, helpful_name);
  bool helped = page.counts.exact && helpful && helpful->max > 0;
  Picks out;
  bool plain = parameters_of(query).empty() && position_parameter(query).empty() && !query.skip;
  // The newest are all to be seen where there is one page.
  if (!plain || (!helped && !page.next)) co_return out;
  const std::vector<int> positive{4, 5}, critical{1, 2};
  for (const auto* ratings : {&positive, &critical}) {
    if (!co_await pick(asked, page, *ratings, helped, out)) co_return Picks{};
  }
  co_return out;
}

Awaitable<bool> WebPages::pick(const PageRequest& asked, const FoundPage& page,
                               const std::vector<int>& ratings, bool helped, Picks& out) const {
  const auto& query = asked.query;
  auto counted = ratings_of(page.counts);
  bool any = std::any_of(ratings.begin(), ratings.end(),
                         [&](int rating) { return counted[static_cast<std::size_t>(rating) - 1]; });
  Query best{
      .product = query.product, .languages = query.languages, .ratings = ratings, .limit = 1};
  Query newest = best;
  best.sort = Sort::highest;
  best.sort_facet = helpful_name;
  if (helped && any && query.languages.empty()) {
    auto languages = languages_of(page);
    best.languages = preferred(asked.ui, languages);
    bool some = !best.languages.empty() && best.languages.size() < languages.size();
    if (some && co_await add_first(best, true, out)) co_return true;
    best.languages.clear();
  }
  if (helped && any && co_await add_first(best, true, out)) co_return true;
  for (const auto& row : page.rows) {
    auto rating = static_cast<int>(document_cell(row.document)[rating_facet]);
    if (std::find(ratings.begin(), ratings.end(), rating) == ratings.end()) continue;
    if (add_pick(out, row.document, false)) co_return true;
  }
  // A table bills each request, so its pages do without one more.
  if (!any || !page.counts.exact) co_return false;
  co_return co_await add_first(newest, false, out);
}

Awaitable<bool> WebPages::add_first(const Query& query, bool most_helpful, Picks& out) const {
  auto found = co_await comments_.page(query);
  if (!found || found->rows.empty()) co_return false;
  co_return add_pick(out, found->rows.front().document, most_helpful);
}

Awaitable<std::vector<Easier>> WebPages::easier(const Query& query, const FoundPage& page,
                                                const FoundWords& sought) const {
  std::vector<Easier> out;
  bool none = page.rows.empty() && !page.next && page.total == 0u;
  if (!none || page.counts.total() == 0) co_return out;
  for (auto& each : easier_than(query, sought.typed())) {
    auto asked = each.query;
    asked.limit = 1;
    auto found = co_await comments_.page(asked);
    each.comments = found ? found->total.value_or(0) : 0;
    if (each.comments > 0) out.push_back(std::move(each));
  }
  co_return out;
}

}  // namespace quire::http
