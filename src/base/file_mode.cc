#include "base/file_mode.h"

#include <sys/stat.h>

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

}  // namespace quire
