// The port: what Quire asks of the place where comments are kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/access.h"
#include "model/condition.h"
#include "model/counts.h"
#include "model/entry.h"
#include "model/ratings.h"
#include "page_index/ranks.h"
#include "plan/plan.h"
#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

struct ProductTotal {
  std::string product;
  std::uint64_t comments;
  RatingCounts ratings;
};

struct Leader {
  std::string product;
  RatingCounts ratings;  // in the language asked for
};

// Makes an insert safe to repeat: the same key with the same body is the same request.
struct RequestKey {
  std::array<std::uint8_t, 16> key;
  std::array<std::uint8_t, 16> body;
  std::uint64_t now_ms;
};

// A change that was made: the documents of the comment.
struct Edited {
  std::string before;
  std::string after;
};

// Something a backend counts from its start, for operators.
struct Figure {
  const char* name;  // as Prometheus names a counter
  const char* help;
  double value;
};

// What one request sees; consistent where the backend can. What it returns lives as long as it
// does. One task at a time.
class View {
 public:
  virtual ~View() = default;

  virtual Awaitable<Result<Counts>> counts(std::string_view product) = 0;

  // One slice a range, read in one round. `documents`: entries must carry theirs.
  virtual Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                                     std::span<const Range> ranges,
                                                     bool documents) = 0;
  // Gives a document to every entry that has none. An entry gone meanwhile keeps none.
  virtual Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) = 0;

  // The comment's document; not_found if there is none.
  virtual Awaitable<Result<std::string_view>> get(const Ulid& id) = 0;

  // Products that have comments, in byte order, strictly after `after`.
  virtual Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                                std::size_t limit) = 0;
  // Their names alone, which may be cheaper.
  virtual Awaitable<Result<std::vector<std::string>>> names(std::string_view after,
                                                            std::size_t limit) {
    auto found = co_await products(after, limit);
    if (!found) co_return found.error();
    std::vector<std::string> out;
    for (auto& each : *found) out.push_back(std::move(each.product));
    co_return out;
  }
  // The best products, at most `limit`: by number of 5-rated comments (none without any), or by
  // adjusted average; in one language or `any`. Equals in byte order.
  virtual Awaitable<Result<std::vector<Leader>>> leaders(Leaders by, FacetValue language,
                                                         std::size_t limit) = 0;
  // Comments of all products, each once, strictly after `after` in the store's order: oldest first
  // where the store has such an order.
  virtual Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) = 0;

  // What was written before then is in counts and leaders, in ms since 1970; 0: it is not known.
  // Nothing: they change with each write of Quire's, and no time is promised. Ask for it after
  // counts(), and before leaders().
  virtual Awaitable<Result<std::optional<std::uint64_t>>> as_of() {
    co_return std::optional<std::uint64_t>();
  }

  // The page index that sees the same state as this view, where the store keeps one.
  virtual Ranks* ranks() { return nullptr; }

  // The key from which a read of `list` after `after` starts, as JSON, as the backend takes it.
  virtual std::string start_key(std::string_view product, const Cell& list, const Ulid& after) = 0;
  // What the reads so far were billed; 0 where nobody bills.
  virtual double consumed() const = 0;
};

// Thread-safe. A write is acknowledged when it is durable.
class Store {
 public:
  virtual ~Store() = default;

  virtual CostModel costs() const = 0;
  virtual std::unique_ptr<View> view() = 0;

  // What it counts itself; nothing where there is nothing to tell.
  virtual std::vector<Figure> figures() const { return {}; }

  // Fails when the backend does not answer or take writes.
  virtual Awaitable<Status> ready() = 0;

  // The document stored: the comment's, or with a known request key the one its first request made.
  virtual Awaitable<Result<std::string>> insert(Comment comment,
                                                std::optional<RequestKey> once) = 0;
  // The comment moves between lists. Nothing changes if `condition` refuses it, which is decided in
  // the same transaction.
  virtual Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {}) = 0;
  // The document removed; empty where it was damaged. `condition` as above.
  virtual Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) = 0;
  // Adds those whose id is not there yet; how many were added. All or none where the store can;
  // else in pieces, and after an error some may be there.
  virtual Awaitable<Result<std::size_t>> insert_many(std::vector<Comment> comments) = 0;
  // How many comments it likes to be given at once.
  virtual std::size_t batch() const { return 200'000; }
};

}  // namespace quire
