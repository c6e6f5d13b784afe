#include "base/log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace quire {
namespace {

Error cannot_open(const LogFile& log) {
  return {ErrorCode::unavailable,
          "Cannot open " + log.what + " " + log.file + ": " + std::strerror(errno) + "."};
}

}  // namespace

Result<int> open_log(const LogFile& log) {
  int opened = open(log.file.c_str(), log.flags | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
  if (opened < 0) return cannot_open(log);
  return opened;
}

Status reopen_log(const LogFile& log, int descriptor) {
  auto opened = open_log({log.what, log.file, log.flags | O_NONBLOCK});
  if (!opened) return opened.error();
  Status taken = Done{};
  if (dup3(*opened, descriptor, O_CLOEXEC) < 0) taken = cannot_open(log);
  close(*opened);
  return taken;
}

}  // namespace quire
