#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace quire {

namespace {

bool has_mode(const std::string& file, mode_t bit) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && (status.st_mode & bit) != 0;
}

}  // namespace

bool others_may_read(const std::string& file) {
  return has_mode(file, S_IROTH);
}

bool others_may_write(const std::string& file) {
  return has_mode(file, S_IWOTH);
}

namespace fs = std::filesystem;

namespace {

fs::path parent(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace

int sync_to_disk(const fs::path& path) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int code = fsync(file) == 0 ? 0 : errno;
  close(file);
  return code;
}

int make_directories(const fs::path& directory, std::vector<fs::path>& made) {
  std::error_code failed;
  if (directory.empty() || fs::exists(directory, failed)) return 0;
  if (int code = make_directories(directory.parent_path(), made)) return code;
  if (!fs::create_directory(directory, failed) && failed) return failed.value();
  made.push_back(directory);
  return sync_to_disk(parent(directory));
}

int rename_durably(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::rename(from, to, failed);
  return failed ? failed.value() : sync_to_disk(parent(to));
}

}  // namespace quire
