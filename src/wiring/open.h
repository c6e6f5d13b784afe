// Picks and wires backends: the one place, beside tests, that knows them by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cursor/cursor.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire {

struct OpenStore {
  std::unique_ptr<Store> store;
  std::string directory;  // where this process may keep files beside the store
  // Copies the store, consistently, into a new or empty directory.
  std::function<Status(const std::string& directory)> backup;
};

// `address`: "lmdb:DIR". Opening to write makes the store if need be.
Result<OpenStore> open_store(const std::string& address, Access access);

struct Verified {
  std::size_t comments;
  std::size_t differences;
  std::vector<std::string> reports;  // one sentence a difference; the first thousand
};

// Recounts a store's lists, counts, page index and leaderboard. Throws when it cannot be read.
Result<Verified> verify_store(const std::string& address);

struct Repaired {
  std::size_t comments;
  std::vector<std::string> set_aside;  // ids of those that are kept apart: unreadable, or twins
};

// Makes everything but the comments anew, in one transaction. No other process may write meanwhile.
Result<Repaired> repair_store(const std::string& address);

// The keys of cursors: hex, 32 bytes each, one a line; the first seals, all open. With
// Access::write a missing file is made, readable by its owner alone, with one new key; else the key
// is for this process alone.
Result<std::vector<Seal::Key>> open_cursor_keys(const std::string& file, Access access);

}  // namespace quire
