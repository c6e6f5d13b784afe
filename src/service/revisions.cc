#include "service/revisions.h"

#include <set>

#include "base/try.h"
#include "model/document.h"
#include "model/filter.h"
#include "store/event_log.h"
#include "store/queue.h"

namespace quire {

Awaitable<Result<ChangeTimes>> add_revised(FoundPage& page, const Query& query) {
  ChangeTimes changed;
  auto* log = page.view->event_log();
  if (!log) co_return changed;
  CO_TRY(auto filter, make_filter(query, *page.schema));
  QueueQuestion words;
  if (!query.words.empty()) CO_TRY_DONE(words.look_for(query.words));
  CO_TRY(auto revisions, co_await log->revisions(query.product));
  std::set<Ulid> there;
  for (const auto& row : page.rows) there.insert(row.id);
  for (const auto& [id, at_ms] : revisions) {
    changed[id] = at_ms;
    if (there.contains(id)) continue;
    auto document = co_await page.view->get(id);
    if (!document && document.error().code == ErrorCode::unavailable) co_return document.error();
    auto comment = document ? decode_document(*document) : std::nullopt;
    if (!comment || !filter.matches(*comment) || !words.matches(*comment)) continue;
    page.rows.push_back({id, *document});
  }
  co_return changed;
}

}  // namespace quire
