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
  // The keys that seal cursors, kept beside the comments.
  std::function<Result<std::vector<Seal::Key>>()> cursor_keys;
  // Copies the store, consistently, into a new or empty directory.
  std::function<Status(const std::string& directory)> backup;
};

// `address`: "lmdb:DIR" or "dynamodb:TABLE?region=R&endpoint=URL". Opening to write makes an
// embedded store if need be; a table is made by create_table.
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

}  // namespace quire
