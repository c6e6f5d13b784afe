#include "lmdb/process_number.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdarg>
#include <random>

namespace quire::lmdb {
namespace {

constexpr int max_pid = 1 << 22;  // PID_MAX_LIMIT of Linux

thread_local int present = 0;  // 0: the PID

// The C library's. Found before main(), because fcntl() must be safe in a signal handler.
using Fcntl = int (*)(int, int, ...);
Fcntl next_fcntl = nullptr;

[[gnu::constructor]] void find_fcntl() {
  next_fcntl = reinterpret_cast<Fcntl>(dlsym(RTLD_NEXT, "fcntl"));
}

}  // namespace

int new_process_number() {
  std::random_device random;
  return std::uniform_int_distribution(max_pid + 1, INT_MAX)(random);
}

ByNumber::ByNumber(int number) {
  present = number;
}

ByNumber::~ByNumber() {
  present = 0;
}

}  // namespace quire::lmdb

// The program's definitions come before those of the C library, also for liblmdb.so.
extern "C" {

[[gnu::visibility("default")]] pid_t getpid() noexcept {
  int number = quire::lmdb::present;
  return number != 0 ? number : static_cast<pid_t>(syscall(SYS_getpid));
}

[[gnu::visibility("default")]] int fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);  // as the C library reads it, of whatever type it is
  va_end(arguments);
  auto next = quire::lmdb::next_fcntl;
  auto result = next ? next(file, command, argument)
                     : static_cast<int>(syscall(SYS_fcntl, file, command, argument));
  if (command != F_GETLK || result != 0) return result;
  auto& lock = *static_cast<struct flock*>(argument);
  if (lock.l_type != F_UNLCK && lock.l_pid == 0) lock.l_pid = -1;
  return result;
}
}
