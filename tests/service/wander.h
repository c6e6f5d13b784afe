// A walk to and fro through the pages of a query, each compared with the page of the plain vector.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "listing/listing.h"
#include "listing/model.h"
#include "loop/loop.h"
#include "model/document.h"
#include "model/entry.h"
#include "service/comments.h"

namespace quire {

// Called between two pages, and may write to store and vector. It is given the comments shown, and
// whether the walk goes forward.
using Between = std::function<void(const std::vector<Comment>& shown, bool on)>;

inline void wander(const Comments& comments, const PlainModel& model, Query query,
                   std::mt19937_64& random, int steps, const Between& between) {
  Order order = SortBy{query.sort}.order();
  std::optional<Comment> edge;
  for (; steps > 0; --steps) {
    bool back = query.before.has_value();
    auto page = std::move(wait(comments.page(query))).value();
    auto expected = model.page(query, edge, back);
    std::vector<Comment> shown;
    std::vector<Ulid> ids;
    for (const auto& row : page.rows) {
      shown.push_back(decode_document(row.document).value());
      ids.push_back(row.id);
    }
    ASSERT_EQ(ids, expected.ids);
    ASSERT_EQ(page.previous.has_value(), expected.previous);
    ASSERT_EQ(page.next.has_value(), expected.next);
    EXPECT_EQ(page.read, page.rows.size() + page.discarded);
    if (!page.next && !page.previous) return;
    bool on = page.next && (!page.previous || random() % 4);
    if (!shown.empty()) {
      edge = on ? shown.back() : shown.front();
    } else {
      // Back from an emptied page, the position where it began belongs to what lies behind.
      edge->id = just_before(edge->id, back ? order : opposite(order));
      shown.push_back(*edge);
    }
    query.after = on ? page.next : std::nullopt;
    query.before = on ? std::nullopt : page.previous;
    between(shown, on);
  }
}

}  // namespace quire
