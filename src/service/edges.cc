#include "service/edges.h"

#include <algorithm>

#include "model/document.h"
#include "service/numbering.h"

namespace quire {
namespace {

Edge edge_of(const Entry& row, const std::vector<Section>& sections) {
  auto rating = document_cell(row.document)[rating_facet];
  return {row.id, sections.front().rating == any ? any : rating};
}

// Whether there is a row on the other side of where a cursor's page began.
Awaitable<Result<bool>> any_behind(View& view, const std::vector<Section>& sections, Order order,
                                   const Start& start, const Ulid& from) {
  auto probed =
      co_await gather(view, sections, order, !start.backward, {start.place.section, from}, 1);
  if (!probed) co_return probed.error();
  co_return !probed->rows.empty();
}

}  // namespace

Awaitable<Result<Edges>> edges(View& view, const std::vector<Section>& sections, Sort sort,
                               const Start& start, const Found& found) {
  const auto& rows = found.rows;
  std::optional<Edge> ahead, behind;
  if (found.more) ahead = edge_of(start.backward ? rows.front() : rows.back(), sections);
  if (start.offset && !rows.empty()) {
    bool later = *start.offset + rows.size() < total(sections);
    if (start.backward ? later : *start.offset > 0)
      behind = edge_of(start.backward ? rows.back() : rows.front(), sections);
  } else if (start.place.after) {
    Order order = order_of(sort), read_order = start.backward ? opposite(order) : order;
    // Nothing lies between the cursor's comment and the first row. Of an empty page, that comment
    // itself belongs to the page behind.
    Ulid from = just_before(*start.place.after, opposite(read_order));
    bool some = found.something_behind;
    if (!some) {
      auto looked = co_await any_behind(view, sections, order, start, from);
      if (!looked) co_return looked.error();
      some = *looked;
    }
    if (some && rows.empty()) behind = Edge{from, sections[start.place.section].rating};
    if (some && !rows.empty())
      behind = edge_of(start.backward ? rows.back() : rows.front(), sections);
  }
  if (start.backward) co_return Edges{behind, ahead};
  co_return Edges{ahead, behind};
}

Awaitable<Result<std::optional<std::uint64_t>>> offset_of(Numberer& numberer,
                                                          const std::vector<Section>& sections,
                                                          Sort sort, const Start& start,
                                                          const std::vector<Entry>& rows) {
  if (rows.empty() && start.backward) co_return std::optional<std::uint64_t>(0);
  Order order = order_of(sort);
  // An emptied page begins where its comments were.
  Edge first{Ulid{}, sections[start.place.section].rating};
  if (rows.empty()) first.id = just_before(*start.place.after, opposite(order));
  if (!rows.empty()) first = edge_of(rows.front(), sections);
  auto section = section_of(sections, first.rating).value();
  auto offset = co_await offset_of(*numberer.ranks, sections, order, section, first.id);
  if (offset) co_return std::optional(*offset);
  if (numberer.exact()) co_return offset.error();
  numberer.fail(offset.error());
  co_return std::optional<std::uint64_t>();
}

Awaitable<bool> has_all(Numberer& numberer, const std::vector<Section>& sections, Sort sort,
                        std::uint64_t offset, const std::vector<Entry>& rows) {
  Edge last = edge_of(rows.back(), sections);
  auto section = section_of(sections, last.rating).value();
  auto at = co_await offset_of(*numberer.ranks, sections, order_of(sort), section, last.id);
  if (at) co_return *at + 1 == offset + rows.size();
  numberer.fail(at.error());
  co_return false;
}

}  // namespace quire
