#include "store/embedded/upkeep/backup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files.h"

namespace quire::embedded {

namespace {

namespace fs = std::filesystem;

// Ends the rewriting of a store.
struct Incomplete {
  Missing missing;
};

constexpr const char* key_files[] = {"cursor-keys", "customer-key"};

Error refused(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

// Removes the files and directories of a copy that was not finished.
class Unfinished {
 public:
  ~Unfinished() {
    std::error_code ignored;
    for (auto path = paths_.rbegin(); path != paths_.rend(); ++path) fs::remove(*path, ignored);
  }
  void add(fs::path path) { paths_.push_back(std::move(path)); }
  std::vector<fs::path>& paths() { return paths_; }
  void keep() { paths_.clear(); }

 private:
  std::vector<fs::path> paths_;
};

int copy_file(const fs::path& from, const fs::path& to, Unfinished& unfinished) {
  std::error_code failed;
  if (!fs::exists(from, failed)) return 0;
  unfinished.add(to);
  fs::copy_file(from, to, failed);
  return failed ? failed.value() : sync_to_disk(to);
}

// Copies under another name first, so that a partial copy cannot pass for a store. Copies entry by
// entry, because whole pages still hold bytes of deleted comments.
int copy_data(const Databases& databases, const fs::path& to, Missing& missing) {
  lmdb::NewFile part(to / "data.mdb.part");
  {
    lmdb::ReadTransaction txn(*databases.environment);
    missing = copy_all(databases, txn.get(), part, {});
  }
  part.finish();
  int code = rename_durably(part.path(), to / "data.mdb");
  if (code == 0) part.keep();
  return code;
}

int copy(const Databases& databases, const fs::path& from, const fs::path& to,
         Unfinished& unfinished, Missing& missing) try {
  for (const auto* keys : key_files)
    if (int code = copy_file(from / keys, to / keys, unfinished)) return code;
  return copy_data(databases, to, missing);
} catch (const lmdb::Failure& failure) {
  return failure.code();
}

}  // namespace

Result<Missing> compact(Databases& databases, const lmdb::Progress& progress) try {
  auto rewritten = rewrite(databases, [&](const lmdb::Transaction& from, lmdb::NewFile& to) {
    if (auto missing = copy_all(databases, from, to, progress)) throw Incomplete{missing};
  });
  if (!rewritten) return rewritten.error();
  return Missing{};
} catch (const Incomplete& incomplete) {
  return incomplete.missing;
} catch (const lmdb::Damaged& damaged) {
  return Error{ErrorCode::unavailable, damaged.what() + std::string(".")};
} catch (const lmdb::Failure& failure) {
  return explain(failure);
}

Result<Missing> backup(const Databases& databases, const std::string& from, const std::string& to) {
  Unfinished unfinished;
  Missing missing;
  std::error_code failed;
  for (const auto* name : key_files) {
    auto keys = fs::path(from) / name;
    if (fs::exists(keys, failed) && !fs::is_regular_file(keys, failed))
      return refused("Cannot copy " + keys.string() + ": it is no file. Put the keys into a file.");
  }
  int code = make_directories(fs::path(to).lexically_normal(), unfinished.paths());
  if (code == 0 && !fs::is_empty(to, failed) && !failed)
    return refused(to + " is not empty. Name a new directory for the copy.");
  if (code == 0) code = failed.value();
  if (code == 0) code = copy(databases, from, to, unfinished, missing);
  if (code != 0)
    return refused("The copy in " + to + " failed, and was removed: " + mdb_strerror(code) + ".");
  unfinished.keep();
  return missing;
}

}  // namespace quire::embedded
