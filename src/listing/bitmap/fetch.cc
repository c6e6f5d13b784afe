#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "bitmap_index/reading/matches.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "listing/bitmap/bitmap_listing.h"
#include "lmdb/sealed.h"
#include "plan/plan.h"
#include "store/views.h"

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
    CO_TRY(auto slices, co_await lists->read(product, order, {&range, 1}, true));
    std::unordered_map<std::string_view, std::string_view> documents;  // by id
    for (const auto& entry : slices.front().entries)
      documents.emplace(entry.id.view(), entry.document);
    for (auto& entry : entries) {
      auto found = documents.find(entry.id.view());
      if (found != documents.end()) entry.document = found->second;
    }
  }
  co_return co_await view.documents(product, entries);
}

namespace {

using bitmap_index::Reader;

using Values = std::vector<std::pair<std::string, std::uint64_t>>;

// Of values that are equally frequent, those with the lesser codes are kept.
void keep_most_frequent(std::vector<bitmap_index::ValueCount>& counts) {
  auto more = [](const auto& a, const auto& b) {
    return a.ids != b.ids ? a.ids > b.ids : a.code < b.code;
  };
  auto kept =
      counts.begin() + static_cast<std::ptrdiff_t>(std::min(limits::counted_values, counts.size()));
  std::partial_sort(counts.begin(), kept, counts.end(), more);
  counts.erase(kept, counts.end());
}

std::string text_of(Reader& reader, const SchemaFacet& facet, bitmap_index::Code code) {
  switch (facet.facet().type) {
    case FacetType::flag:
      return code ? "true" : "false";
    case FacetType::number:
      return std::to_string(bitmap_index::decode_number({code, 0}));
    case FacetType::choice:
    case FacetType::tags:
      break;
  }
  auto text = reader.text(facet.number, code);
  if (!text) throw lmdb::Damaged("a value without a text");
  return *text;
}

void sort_texts(Values& values, const SchemaFacet& facet) {
  const auto& closed = facet.facet().values;
  std::unordered_map<std::string_view, std::size_t> turns;
  for (std::size_t i = 0; i < closed.size(); ++i) turns.emplace(closed[i], i);
  auto turn = [&](const auto& value) {
    auto at = turns.find(value.first);
    return at == turns.end() ? closed.size() : at->second;
  };
  std::sort(values.begin(), values.end(), [&](const auto& a, const auto& b) {
    if (facet.number == language_number) return a.first < b.first;
    if (!closed.empty()) return turn(a) < turn(b);
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
}

}  // namespace

FacetCounts shown(Reader* reader, const SchemaFacet& facet, bitmap_index::ValueCounts counts) {
  FacetCounts out{facet.facet().name, facet.facet().type};
  out.comments = counts.ids;
  if (counts.extremes) std::tie(out.min, out.max) = *counts.extremes;
  if (out.type == FacetType::number && facet.number != rating_number) return out;
  bool texts = out.type == FacetType::choice || out.type == FacetType::tags;
  if (texts && facet.facet().values.empty()) keep_most_frequent(counts.values);
  for (const auto& value : counts.values)
    out.values.emplace_back(text_of(*reader, facet, value.code), value.ids);
  if (texts) sort_texts(out.values, facet);
  return out;
}

}  // namespace quire::bitmap
