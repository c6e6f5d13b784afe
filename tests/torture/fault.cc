#include "torture/fault.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace torture {
namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(Call::kinds);

// Lies in a file that the driver and child processes share, so it survives a kill.
struct Counters {
  std::atomic<std::uint64_t> calls[kinds];
  std::atomic<std::uint64_t> faults;
};

Counters* shared_counters() {
  static Counters own;
  const char* path = std::getenv("TORTURE_COUNTS");
  if (!path) return &own;
  long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return &own;
  long at =
      syscall(SYS_mmap, nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
  syscall(SYS_close, file);
  return at < 0 && at > -4096 ? &own : reinterpret_cast<Counters*>(at);
}

// TORTURE_FAULT: "CALL NTH once|ever HOW ERROR", the call and the way as numbers.
struct Order {
  std::string directory;
  std::string journal;
  std::size_t call = kinds;
  std::uint64_t nth = 0;
  bool ever = false;
  Fault fault;
  Counters* counters = shared_counters();

  Order() {
    auto text = [](const char* name) {
      const char* value = std::getenv(name);
      return std::string(value ? value : "");
    };
    directory = text("TORTURE_DIRECTORY");
    journal = text("TORTURE_JOURNAL");
    std::istringstream words(text("TORTURE_FAULT"));
    int how = 0;
    std::string times;
    if (words >> call >> nth >> times >> how >> fault.error) {
      ever = times == "ever";
      fault.how = static_cast<How>(how);
    } else {
      call = kinds;
    }
  }
};

const Order& order() {
  static const Order it;
  return it;
}

bool inside(std::string_view path) {
  const std::string& directory = order().directory;
  return !directory.empty() && path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

}  // namespace

Fault next(Call call) {
  const Order& it = order();
  std::uint64_t own = ++it.counters->calls[static_cast<std::size_t>(call)];
  std::uint64_t all = ++it.counters->calls[static_cast<std::size_t>(Call::any)];
  bool any = it.call == static_cast<std::size_t>(Call::any);
  if (!any && it.call != static_cast<std::size_t>(call)) return {};
  std::uint64_t number = any ? all : own;
  if (it.ever ? number < it.nth : number != it.nth) return {};
  ++it.counters->faults;
  return it.fault;
}

void die() {
  for (;;) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

bool concerns(int directory, const char* path) {
  if (!path) return false;
  if (path[0] == '/') return inside(path);
  if (directory != AT_FDCWD) return concerns(directory);
  int kept = errno;
  char buffer[PATH_MAX];
  bool answer = syscall(SYS_getcwd, buffer, sizeof buffer) > 0 && inside(buffer);
  errno = kept;
  return answer;
}

bool concerns(int file) {
  int kept = errno;
  std::string link = "/proc/self/fd/" + std::to_string(file);
  char buffer[PATH_MAX];
  long size = syscall(SYS_readlinkat, AT_FDCWD, link.c_str(), buffer, sizeof buffer);
  errno = kept;
  return size > 0 && inside({buffer, static_cast<std::size_t>(size)});
}

std::string_view journal_path() {
  return order().journal;
}

}  // namespace torture
