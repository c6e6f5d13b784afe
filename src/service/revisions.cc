#include "service/revisions.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "model/document.h"
#include "model/filter.h"
#include "store/event_log.h"
#include "store/moderation_view.h"
#include "store/queue.h"

namespace quire {
namespace {

struct Revised {
  ChangeTimes changed = {};
  std::vector<Entry> rows = {};
  std::vector<Comment> comments = {};  // of the rows
};

// Of a product, or of all: the times of those that were changed last, and those of them that are
// not `there` and that `wanted` chooses.
Awaitable<Result<Revised>> read_revised(View& view, std::optional<std::string> product,
                                        std::set<Ulid> there,
                                        std::function<bool(const Comment&)> wanted) {
  Revised revised;
  auto* log = view.event_log();
  if (!log) co_return revised;
  CO_TRY(auto revisions, co_await log->revisions(std::move(product)));
  for (const auto& [id, at_ms] : revisions) {
    revised.changed[id] = at_ms;
    if (there.contains(id)) continue;
    auto document = co_await view.get(id);
    if (!document && document.error().code == ErrorCode::unavailable) co_return document.error();
    auto comment = document ? decode_document(*document) : std::nullopt;
    if (!comment || !wanted(*comment)) continue;
    revised.rows.push_back({id, *document});
    revised.comments.push_back(std::move(*comment));
  }
  co_return revised;
}

}  // namespace

Awaitable<Result<ChangeTimes>> add_revised(FoundPage& page, const Query& query) {
  CO_TRY(auto filter, make_filter(query, *page.schema));
  QueueQuestion words;
  if (!query.words.empty()) CO_TRY_DONE(words.look_for(query.words));
  std::set<Ulid> there;
  for (const auto& row : page.rows) there.insert(row.id);
  auto wanted = [&](const Comment& comment) {
    return filter.matches(comment) && words.matches(comment);
  };
  CO_TRY(auto revised, co_await read_revised(*page.view, query.product, std::move(there), wanted));
  for (auto& row : revised.rows) page.rows.push_back(std::move(row));
  co_return std::move(revised.changed);
}

Awaitable<Result<Latest>> Comments::latest(QueueQuestion question) const {
  auto view = store_.view();
  auto* moderation = view->moderation();
  if (!moderation) co_return no_moderation();
  CO_TRY(auto page, co_await moderation->queue(question));
  Latest latest;
  std::set<Ulid> there;
  for (auto& row : page.rows) {
    there.insert(row.comment.id);
    latest.comments.push_back(std::move(row.comment));
  }
  auto wanted = [&](const Comment& comment) { return question.matches(comment); };
  CO_TRY(auto revised, co_await read_revised(*view, std::nullopt, std::move(there), wanted));
  latest.changed = std::move(revised.changed);
  for (auto& comment : revised.comments) latest.comments.push_back(std::move(comment));
  co_return latest;
}

}  // namespace quire
