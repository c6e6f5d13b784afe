#include <optional>
#include <utility>
#include <vector>

#include "http/found_words.h"
#include "http/html/parts.h"
#include "http/html/web_pages.h"

namespace quire::http {

Awaitable<std::vector<WordAlone>> WebPages::words_alone(const Query& query, const FoundPage& page,
                                                        const FoundWords& sought) const {
  std::vector<WordAlone> out;
  auto words = sought.typed();
  bool none = page.rows.empty() && !page.next && page.total == 0u;
  if (!none || words.size() < 2) co_return out;
  Query alone = query;
  alone.limit = 1;
  alone.counts = alone.explain = false;
  alone.after = alone.before = std::nullopt;
  alone.page = alone.skip = std::nullopt;
  for (auto& word : words) {
    alone.words = word;
    auto found = co_await comments_.page(alone);
    auto comments = found ? found->total.value_or(0) : 0;
    if (comments > 0) out.push_back({std::move(word), comments});
  }
  co_return out;
}

}  // namespace quire::http
