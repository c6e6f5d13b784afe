// Opens the directory of an embedded store: locks it, checks its format, and counts the damage that
// is met.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/backend.h"
#include "lmdb/environment.h"
#include "quire/result.h"
#include "store/embedded/format/tables.h"
#include "store/embedded/schema.h"

namespace quire::embedded {

// Locks the directory; the system frees the lock when the process dies. The file writer.lock has
// the number of the process, as a hint for people.
class WriterLock {
 public:
  static Result<WriterLock> take(const std::string& directory);
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept : directory_(std::exchange(other.directory_, -1)) {}

 private:
  explicit WriterLock(int directory) : directory_(directory) {}
  int directory_;
};

// A process opens a store once: LMDB's locks belong to the process, and closing a second opening
// would free those of the first.
class OnlyOpening {
 public:
  static Result<OnlyOpening> claim(const std::string& directory);
  ~OnlyOpening();
  OnlyOpening(OnlyOpening&& other) noexcept
      : directory_(std::exchange(other.directory_, Directory())) {}

 private:
  using Directory = std::pair<dev_t, ino_t>;  // zeros: none
  explicit OnlyOpening(Directory directory) : directory_(directory) {}
  Directory directory_;
};

// Thread-safe.
class Damage {
 public:
  // `what` names the damaged thing: "comment 01JD…". Logs at most once a minute.
  void meet(std::string_view what) const;
  std::uint64_t met() const { return met_; }

 private:
  mutable std::atomic<std::uint64_t> met_ = 0;
  mutable std::atomic<std::int64_t> next_log_ms_ = 0;
};

struct Databases : Tables {
  std::string directory;
  std::optional<OnlyOpening> opening;
  std::optional<WriterLock> lock;  // with Access::write
  std::unique_ptr<lmdb::Environment> environment;
  // The row of the index's hash key is damaged: until a repair makes another, the index answers no
  // request and takes no write.
  mutable std::atomic<bool> keyless = false;
  // Whether comments that come have words, as far as is known: those who make them beforehand ask.
  mutable std::atomic<bool> has_words = false;
  // Whether building them met rows that are damaged, and began again.
  mutable std::atomic<bool> words_began_anew = false;
  Damage damage;
  SchemaCache schemas;
};

// unavailable: no store is in the directory, or this process may not see it.
Status is_there(const std::string& directory);

// Access::write makes a missing directory or store. Errors, which leave the data as it is: no
// store, another process writes, this process has it open, another format, damage, no permission,
// no room.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access);

// Opens a store that another process writes, for a single small transaction beside it: LMDB lets
// writers take turns. unavailable: as above, or the store has another format.
Result<std::unique_ptr<Databases>> open_beside(const std::string& directory);

// The error that tells a caller about a failure of LMDB.
Error explain(const lmdb::Failure& failure);
// The error that tells that the system does not let this process `deed` ("read") a path.
Error refused(std::string_view deed, const std::string& path, int code);
// The error that tells why a damaged store cannot be opened, and what to do.
Error damaged_store(const std::string& directory, const std::string& reason);

}  // namespace quire::embedded
