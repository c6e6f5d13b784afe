// The comments of a status, or of all, over all products, by time: what a question asks of them,
// and a page of the answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/entry.h"
#include "model/moderation.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "words/question.h"

namespace quire {

struct QueueQuestion {
  enum class Kind {
    pending,
    rejected,
    reported,   // published comments with reports
    published,  // this and the next: of a store that keeps the ids of all comments in their order
    any,        // of any status
  };
  Kind kind = Kind::pending;
  // Comments of one of these; empty: of any.
  std::string product = {};
  std::string product_prefix = {};  // of all products that a moderator may see
  std::vector<std::string> languages = {};
  std::vector<int> ratings = {};
  // Written at this time or later, and before that one, in ms since 1970.
  std::optional<std::uint64_t> since_ms = {};
  std::optional<std::uint64_t> until_ms = {};
  std::string rule = {};  // that holds them; empty: any, or none
  // With a reply, a proof of purchase or a text, or without.
  std::optional<bool> replied = {};
  std::optional<bool> verified = {};
  std::optional<bool> has_text = {};
  // With all of these words in title and text, as typed, and what is looked for; none: null.
  std::string words = {};
  std::shared_ptr<const words::Question> sought = {};
  Order order = Order::oldest_first;
  // At most one of them: comments strictly after, or strictly before this one.
  std::optional<Ulid> after = {};
  std::optional<Ulid> before = {};
  std::size_t limit = 20;

  // A page before a comment is read backwards from there.
  const std::optional<Ulid>& from() const { return before ? before : after; }
  Order direction() const { return before ? opposite(order) : order; }
  // Strictly behind which, in that direction, all comments of the page are. Absent: there is no
  // such bound.
  std::optional<Ulid> start() const;
  // Whether the comment was written in the time that is asked for.
  bool in_time(const Ulid& id) const;

  // Sets the words. As of words::parse_question(), in comments of each language.
  Status look_for(std::string text);

  // Whether some comments of the kind may be none of the question.
  bool filtered() const;
  bool matches(const Comment& comment) const;
};

// "pending", "any".
std::string_view queue_name(QueueQuestion::Kind kind);
std::optional<QueueQuestion::Kind> parse_queue(std::string_view name);

// Of all that chooses comments, and of no prefix: in cursors. It is none of a product's filter.
std::uint32_t fingerprint(const QueueQuestion& question);

struct Queued {
  Comment comment;
  std::vector<Report> reports;  // oldest first
};

struct QueuePage {
  std::vector<Queued> rows;
  // The comments behind which the next page, and before which the previous one begins; absent:
  // there is none.
  std::optional<Ulid> next, previous;
  std::optional<std::uint64_t> total;  // absent: it takes too long to count
  std::size_t damaged = 0;             // comments that cannot be read, and are left out
  // Whether the page has fewer rows than its limit, although more may follow: it passed over as
  // many comments as a page may.
  bool ended_early = false;

  // Takes the rows, which were read in the question's direction, into its order. `further` and
  // `back`: the edges in that direction and in the other one, where the queue goes on.
  void arrange(const QueueQuestion& question, std::optional<Ulid> further,
               std::optional<Ulid> back) {
    next = question.before ? back : further;
    previous = question.before ? further : back;
    if (question.before) std::reverse(rows.begin(), rows.end());
  }
};

}  // namespace quire
