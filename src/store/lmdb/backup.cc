#include "store/lmdb/backup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace quire::embedded {
namespace {

namespace fs = std::filesystem;

Error refused(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

int sync(const std::string& path) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int code = fsync(file) == 0 ? 0 : errno;
  close(file);
  return code;
}

int copy(const Databases& databases, const std::string& from, const std::string& to) {
  if (int code = mdb_env_copy2(databases.environment->get(), to.c_str(), MDB_CP_COMPACT))
    return code;
  std::error_code failed;
  if (fs::exists(from + "/cursor-keys", failed))
    fs::copy_file(from + "/cursor-keys", to + "/cursor-keys", failed);
  if (failed) return failed.value();
  if (int code = sync(to + "/data.mdb")) return code;
  return sync(to);
}

}  // namespace

Status backup(const Databases& databases, const std::string& from, const std::string& to) {
  std::error_code failed;
  bool made = fs::create_directories(to, failed);
  if (failed) return refused("Cannot make " + to + ": " + failed.message() + ".");
  if (!fs::is_empty(to, failed))
    return refused(to + " is not empty. Name a new directory for the copy.");
  int code = copy(databases, from, to);
  if (code == 0) return Done{};
  for (const char* file : {"data.mdb", "cursor-keys"}) fs::remove(to + "/" + file, failed);
  if (made) fs::remove(to, failed);
  return refused("The copy in " + to + " failed, and was removed: " + mdb_strerror(code) + ".");
}

}  // namespace quire::embedded
