// Many lists, read lazily, become the rows of one page.
// It reads nothing itself: it says which lists it must see more of, and is fed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/entry.h"
#include "model/filter.h"

namespace quire {

// What is known of one list. "Not fetched yet" is a state of its own, so that it cannot pass for
// the end.
class Stream {
 public:
  enum class Head { entry, pending, end };

  explicit Stream(std::optional<Ulid> after) : after_(after) {}

  Head head() const {
    return next_ < entries_.size() ? Head::entry : ended_ ? Head::end : Head::pending;
  }
  const Entry& front() const { return entries_[next_]; }
  void pop() { ++next_; }

  // `slice` continues where the last one stopped. Only for a pending stream.
  void feed(Slice slice);
  // Where to read on: after this id, or from the start.
  const std::optional<Ulid>& after() const { return after_; }

 private:
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
  std::optional<Ulid> after_;
  bool ended_ = false;
};

class Merge {
 public:
  // `lists` lists, in `order`, all strictly after `after`. Rows must match `residual`.
  Merge(std::size_t lists, Order order, std::optional<Ulid> after, std::size_t wanted,
        const Filter& residual);

  // Takes entries until there are enough rows or a list must be read first.
  // The lists to feed before the next call; empty: the rows are complete.
  std::vector<std::size_t> advance();
  void feed(std::size_t list, Slice slice);
  const std::optional<Ulid>& after(std::size_t list) const { return streams_[list].after(); }

  std::vector<Entry>& rows() { return rows_; }
  // The last entry taken, row or not: where another reader can go on.
  const std::optional<Ulid>& reached() const { return reached_; }
  std::size_t read() const { return read_; }
  // Read, but no row.
  std::size_t discarded() const { return read_ - rows_.size(); }

 private:
  std::vector<std::size_t> pending() const;
  Stream* first();
  void take(const Entry& entry);

  std::vector<Stream> streams_;
  Order order_;
  std::size_t wanted_;
  Filter residual_;
  bool filtered_;
  std::vector<Entry> rows_;
  std::optional<Ulid> reached_;
  std::size_t read_ = 0;
};

}  // namespace quire
