#include "listing/bitmap/bitmap_listing.h"

#include <unordered_map>
#include <utility>

#include "bitmap_index/reading/matches.h"
#include "bitmap_index/reading/selection.h"
#include "bitmap_index/reading/source.h"
#include "plan/plan.h"
#include "store/lists_view.h"

namespace quire::bitmap {

Awaitable<std::uint64_t> spread(bitmap_index::Source& source, std::string product, Cell list,
                                Order order, Ulid first, Ulid last) {
  if (order == Order::newest_first) std::swap(first, last);
  Filter filter{.product = std::move(product), .values = {}};
  for (std::size_t facet = 0; facet < facet_count; ++facet)
    if (list[facet] != any) filter.values[facet] = {list[facet]};
  bitmap_index::Matches matches(*source.reader,
                                {bitmap_index::selection_of(source.hash_key, filter), Sort::oldest},
                                {source.kept, source.generation});
  auto before = co_await matches.rank({first});
  auto with = co_await matches.rank({last.next()});
  co_return with - before;
}

Awaitable<Status> fetch(View& view, std::string_view product, Order order, const Fetch& way,
                        std::span<Entry> entries) {
  ListView* lists = view.lists();
  if (way.list && lists && !entries.empty()) {
    Range range{*way.list, just_before(entries.front().id, order),
                static_cast<std::size_t>(way.entries)};
    auto slices = co_await lists->read(product, order, {&range, 1}, true);
    if (!slices) co_return slices.error();
    std::unordered_map<std::string_view, std::string_view> documents;  // by id
    for (const auto& entry : slices->front().entries)
      documents.emplace(entry.id.view(), entry.document);
    for (auto& entry : entries) {
      auto found = documents.find(entry.id.view());
      if (found != documents.end()) entry.document = found->second;
    }
  }
  co_return co_await view.documents(product, entries);
}

}  // namespace quire::bitmap
