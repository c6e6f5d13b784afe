#include "store/lmdb/backup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "store/lmdb/copy.h"

namespace quire::embedded {
namespace {

namespace fs = std::filesystem;

Error refused(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

// What was begun and not finished goes away again.
class Unfinished {
 public:
  ~Unfinished() {
    std::error_code ignored;
    for (auto path = paths_.rbegin(); path != paths_.rend(); ++path) fs::remove(*path, ignored);
  }
  void add(fs::path path) { paths_.push_back(std::move(path)); }
  void keep() { paths_.clear(); }

 private:
  std::vector<fs::path> paths_;
};

int sync(const fs::path& path) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int code = fsync(file) == 0 ? 0 : errno;
  close(file);
  return code;
}

// Makes a directory and those above it, each on disk.
int make(const fs::path& directory, Unfinished& unfinished) {
  std::error_code failed;
  if (directory.empty() || fs::exists(directory, failed)) return 0;
  if (int code = make(directory.parent_path(), unfinished)) return code;
  if (!fs::create_directory(directory, failed) && failed) return failed.value();
  unfinished.add(directory);
  return sync(directory.has_parent_path() ? directory.parent_path() : ".");
}

int copy_file(const fs::path& from, const fs::path& to, Unfinished& unfinished) {
  std::error_code failed;
  if (!fs::exists(from, failed)) return 0;
  unfinished.add(to);
  fs::copy_file(from, to, failed);
  return failed ? failed.value() : sync(to);
}

// Under another name until it is whole: what an interrupted copy leaves must not pass for a store.
// Entry by entry: whole pages hold remains of what was deleted.
int copy_data(const Databases& databases, const fs::path& to) {
  lmdb::NewFile part(to / "data.mdb.part");
  {
    lmdb::ReadTransaction txn(*databases.environment);
    copy_all(databases, txn.get(), part, {});
  }
  part.finish();
  std::error_code failed;
  fs::rename(part.path(), to / "data.mdb", failed);
  if (!failed) part.keep();
  return failed.value();
}

int copy(const Databases& databases, const fs::path& from, const fs::path& to,
         Unfinished& unfinished) try {
  if (int code = copy_file(from / "cursor-keys", to / "cursor-keys", unfinished)) return code;
  if (int code = copy_data(databases, to)) return code;
  return sync(to);
} catch (const lmdb::Failure& failure) {
  return failure.code();
}

}  // namespace

Status backup(const Databases& databases, const std::string& from, const std::string& to) {
  Unfinished unfinished;
  std::error_code failed;
  int code = make(fs::path(to).lexically_normal(), unfinished);
  if (code == 0 && !fs::is_empty(to, failed) && !failed)
    return refused(to + " is not empty. Name a new directory for the copy.");
  if (code == 0) code = failed.value();
  if (code == 0) code = copy(databases, from, to, unfinished);
  if (code != 0)
    return refused("The copy in " + to + " failed, and was removed: " + mdb_strerror(code) + ".");
  unfinished.keep();
  return Done{};
}

}  // namespace quire::embedded
