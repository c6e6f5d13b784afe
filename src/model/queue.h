// The queue of moderators: the comments that are not published, or were reported, over all
// products.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/entry.h"
#include "model/moderation.h"
#include "quire/comment.h"

namespace quire {

struct QueueQuestion {
  enum class Kind { pending, rejected, reported };  // reported: published comments with reports
  Kind kind = Kind::pending;
  // Comments of one of these; empty: of any.
  std::string product = {};
  std::string product_prefix = {};  // of all products that a moderator may see
  std::vector<std::string> languages = {};
  std::vector<int> ratings = {};
  Order order = Order::oldest_first;
  // At most one of them: comments strictly after, or strictly before this one.
  std::optional<Ulid> after = {};
  std::optional<Ulid> before = {};
  std::size_t limit = 20;

  // A page before a comment is read backwards from there.
  const std::optional<Ulid>& from() const { return before ? before : after; }
  Order direction() const { return before ? opposite(order) : order; }

  bool filtered() const {
    return !(product.empty() && product_prefix.empty() && languages.empty() && ratings.empty());
  }
  bool matches(const Comment& comment) const {
    auto wanted = [](const auto& values, const auto& value) {
      return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
    };
    return (product.empty() || product == comment.product) &&
           comment.product.starts_with(product_prefix) && wanted(languages, comment.language) &&
           wanted(ratings, comment.rating);
  }
};

struct Queued {
  Comment comment;
  std::vector<Report> reports;  // oldest first
};

struct QueuePage {
  std::vector<Queued> rows;
  // The last and the first comment that were looked at; absent: the queue ends there. A filter may
  // leave a page with fewer rows than its limit, as a page looks at a limited number of comments.
  std::optional<Ulid> next, previous;
  std::optional<std::uint64_t> total;  // absent: it takes too long to count
  std::size_t damaged = 0;             // comments that cannot be read, and are left out

  // Takes the rows, which were read in the question's direction, into its order. `further` and
  // `back`: the edges in that direction and in the other one, where the queue goes on.
  void arrange(const QueueQuestion& question, std::optional<Ulid> further,
               std::optional<Ulid> back) {
    next = question.before ? back : further;
    previous = question.before ? further : back;
    if (question.before) std::reverse(rows.begin(), rows.end());
  }
};

// How many comments have which status.
struct StatusTotals {
  std::array<std::uint64_t, 3> comments;  // by status
  // Since when the pending comment waits that waits longest, in ms since 1970; 0: none waits.
  std::uint64_t waits_since_ms = 0;
};

}  // namespace quire
