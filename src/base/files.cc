#include "base/files.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace quire {

namespace {

namespace fs = std::filesystem;

// Why bytes from there are no file's; empty: they are.
std::string unfit(mode_t mode) {
  if (S_ISDIR(mode)) return "it is a directory";
  if (S_ISFIFO(mode) || S_ISSOCK(mode))
    return "it is a pipe or socket, which gives its bytes only once. Put them into a file";
  return {};
}

// Returns why that fails; empty: it is done.
std::string append(int from, std::string& out, std::size_t max_bytes) {
  struct stat status {};
  if (fstat(from, &status) != 0) return std::strerror(errno);
  if (auto why = unfit(status.st_mode); !why.empty()) return why;
  for (char piece[16 * 1024]; out.size() <= max_bytes;) {
    auto size = read(from, piece, std::min(sizeof piece, max_bytes + 1 - out.size()));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return std::strerror(errno);
    if (size == 0) return {};
    out.append(piece, static_cast<std::size_t>(size));
  }
  return "it has over " + std::to_string(max_bytes >> 20) + " MiB";
}

bool has_mode(const std::string& file, mode_t bit) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && (status.st_mode & bit) != 0;
}

fs::path parent(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace

Result<std::string> read_whole(const std::string& what, const std::string& file,
                               std::size_t max_bytes) {
  std::string out;
  int from = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  std::string why = from < 0 ? std::strerror(errno) : append(from, out, max_bytes);
  if (from >= 0) close(from);
  if (why.empty()) return out;
  return Error{ErrorCode::unavailable, "Cannot read " + what + " " + file + ": " + why + "."};
}

bool others_may_read(const std::string& file) {
  return has_mode(file, S_IROTH);
}

bool others_may_write(const std::string& file) {
  return has_mode(file, S_IWOTH);
}

std::string commands_to_hide(const std::string& file) {
  struct stat status {};
  bool known = stat(file.c_str(), &status) == 0;
  auto user = geteuid();
  bool reads = user == 0 || status.st_uid == user ||
               (status.st_gid == getegid() && (status.st_mode & S_IRGRP) != 0);
  return !known || reads ? "chmod o-r " + file : commands_to_share(file);
}

std::string commands_to_share(const std::string& file) {
  const auto* group = getgrgid(getegid());
  auto name = group ? std::string(group->gr_name) : std::to_string(getegid());
  return "chown root:" + name + " " + file + " && chmod 640 " + file;
}

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

std::string temporary_directory() {
  std::error_code none;
  auto directory = std::filesystem::temp_directory_path(none);
  return none ? "/tmp" : directory.string();
}

int nameless_file(const std::string& directory) {
  int file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string path = directory + "/quire-XXXXXX";
  file = mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) unlink(path.c_str());
  return file;
}

}  // namespace quire
