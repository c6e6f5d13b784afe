// Merges lists, read lazily, into the rows of one page. It reads nothing itself: it says which
// lists it needs more of, and is fed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/entry.h"
#include "model/filter.h"

namespace quire {

// The part of one list that was read. "Not fetched yet" is a state of its own, so that it cannot be
// mistaken for the end.
class Stream {
 public:
  enum class Head { entry, pending, end };

  explicit Stream(std::optional<Ulid> after) : after_(after) {}

  Head head() const {
    return next_ < entries_.size() ? Head::entry : ended_ ? Head::end : Head::pending;
  }
  const Entry& front() const { return entries_[next_]; }
  void pop() { ++next_; }

  // Adds a slice that continues the last one. The stream must be pending.
  void feed(Slice slice);
  // The id after which reading continues; absent: from the start.
  const std::optional<Ulid>& after() const { return after_; }

 private:
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
  std::optional<Ulid> after_;
  bool ended_ = false;
};

class Merge {
 public:
  // Of `lists` lists, read in `order`, strictly after `after`. Rows match `residual`, for which
  // entries must carry their documents. An id that several lists have is taken once.
  Merge(std::size_t lists, Order order, std::optional<Ulid> after, std::size_t wanted,
        const Filter& residual);

  // Takes entries until there are enough rows, or until a list must be read. Returns the lists to
  // feed before the next call; empty: the rows are complete.
  std::vector<std::size_t> advance();
  void feed(std::size_t list, Slice slice);
  const std::optional<Ulid>& after(std::size_t list) const { return streams_[list].after(); }

  std::vector<Entry>& rows() { return rows_; }
  // The last entry taken, whether it became a row or not: another reader can continue there.
  const std::optional<Ulid>& reached() const { return reached_; }
  std::size_t read() const { return read_; }
  // Entries that were read and are not rows.
  std::size_t discarded() const { return read_ - rows_.size(); }

 private:
  std::vector<std::size_t> pending() const;
  Stream* first();
  void take(const Entry& entry);
  bool keeps(std::string_view document) const;

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
