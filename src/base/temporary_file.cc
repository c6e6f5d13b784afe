#include "base/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace quire {

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
