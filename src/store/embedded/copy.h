// Copies a store entry by entry, which leaves out the space of deleted entries: over itself, to
// compact it, or into another directory.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "store/embedded/databases.h"

namespace quire::embedded {

// What the store counts and a copy lacks, because pages of the store are damaged.
struct Missing {
  std::uint64_t comments = 0, of = 0;
  std::uint64_t rows = 0;  // of the other databases

  explicit operator bool() const { return comments > 0 || rows > 0; }
  std::string text() const;  // "120 of 3000 comments and 7 other rows"
};

// Copies every entry unchanged, damaged ones too, but for texts of facets that no comment has any
// more. Entries on damaged pages are missing.
Missing copy_all(const Databases& databases, const lmdb::Transaction& from, lmdb::NewFile& to,
                 const lmdb::Progress& progress);

// Replaces the store's file by a finished one. `copied`: see lmdb::put_in_place. unavailable: a
// reader did not end within 30 seconds, or the store has a later transaction. Throws lmdb::Failure.
Status replace_store(const std::string& directory, lmdb::NewFile& file,
                     std::optional<std::uint64_t> copied = {});

// Lets `write` fill a new file, and replaces the store's file by it. Closes the environment.
// `databases` must be opened to write. Killed at any time, the store is the old or the new one.
// unavailable: a reader did not end within 30 seconds, or a facet was declared meanwhile. Throws
// lmdb::Failure, when the disk has no room for example.
Status rewrite(Databases& databases,
               const std::function<void(const lmdb::Transaction&, lmdb::NewFile&)>& write);

}  // namespace quire::embedded
