// The index of words of a store, or of the page index beside a table, to be added and dropped
// beside a running server or without one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/beside.h"
#include "page_index/page_index.h"
#include "quire/result.h"
#include "store/ports.h"

namespace quire {

// Not thread-safe.
class StoreWords {
 public:
  // Opens the store to write. Where another process writes, words are added and dropped all the
  // same, and that process builds and removes them. `pages`: the page index beside a table.
  // forbidden: neither keeps words. unavailable.
  static Result<StoreWords> open(const std::string& address, const std::string& pages);

  // As WordPort and PageIndex. Both return at once: see status().
  Status add();
  Status drop();
  Result<std::optional<WordStatus>> status() const;

  // Why this process does not go on, where it builds and drops. Absent: it goes on.
  std::optional<Error> hindrance() const;
  // Whether this process builds and drops while this lives.
  bool writes() const { return !store_.beside; }
  // Whether `quire backfill` builds what was added: with the page index of a table.
  bool needs_backfill() const { return index_ != nullptr; }

 private:
  StoreWords(std::unique_ptr<PageIndex> index, ChangedStore store)
      : index_(std::move(index)), store_(std::move(store)) {}

  std::unique_ptr<PageIndex> index_;  // null: the store keeps words itself
  ChangedStore store_;                // open where it does
};

// The same, read while another process writes. As WordPort::word_status().
Result<std::optional<WordStatus>> words_of(const std::string& address, const std::string& pages);

}  // namespace quire
