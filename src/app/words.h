// The index of words of a store, to be added and dropped beside a running server or without one.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/beside.h"
#include "quire/result.h"
#include "store/ports.h"

namespace quire {

// Not thread-safe.
class StoreWords {
 public:
  // Opens the store to write. Where another process writes, words are added and dropped all the
  // same, and that process builds and removes them. forbidden: the store keeps none. unavailable.
  static Result<StoreWords> open(const std::string& address);

  // As WordPort. Both return at once: see status().
  Status add();
  Status drop();
  Result<std::optional<WordStatus>> status() const;

  // Why this process does not go on, where it builds and drops. Absent: it goes on.
  std::optional<Error> hindrance() const;
  // Whether this process builds and drops while this lives.
  bool writes() const { return !store_.beside; }

 private:
  explicit StoreWords(ChangedStore store) : store_(std::move(store)) {}

  ChangedStore store_;
};

// The index of words of a store, read while another process writes. As WordPort::word_status().
Result<std::optional<WordStatus>> words_of(const std::string& address);

}  // namespace quire
