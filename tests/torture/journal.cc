#include "torture/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <vector>

#include "torture/fault.h"

// Calls the system directly, because the shim replaces the functions of the C library.
namespace torture {
namespace {

std::mutex mutex;
std::uint64_t numbers = 0;  // guarded by mutex

class KeepErrno {
 public:
  KeepErrno() : kept_(errno) {}
  ~KeepErrno() { errno = kept_; }

 private:
  int kept_;
};

int journal() {
  static const long file = journal_path().empty()
                               ? -1
                               : syscall(SYS_openat, AT_FDCWD, std::string(journal_path()).c_str(),
                                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  return static_cast<int>(file);
}

// A line: its kind, its number, then `rest`.
std::uint64_t note(char kind, const std::string& rest) {
  std::lock_guard lock(mutex);
  std::uint64_t number = ++numbers;
  std::string line = std::string(1, kind) + ' ' + std::to_string(number) + ' ' + rest + '\n';
  for (std::size_t done = 0; done < line.size();) {
    long size = syscall(SYS_write, journal(), line.data() + done, line.size() - done);
    if (size <= 0) break;
    done += static_cast<std::size_t>(size);
  }
  return number;
}

std::string hex(const char* bytes, std::size_t size) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

// Descriptors are often open for writing only.
std::vector<char> bytes_at(int file, off_t offset, std::size_t size) {
  std::vector<char> bytes(size);
  std::string path = "/proc/self/fd/" + std::to_string(file);
  long in = syscall(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY | O_CLOEXEC);
  long got = in < 0 ? 0 : syscall(SYS_pread64, in, bytes.data(), size, offset);
  if (in >= 0) syscall(SYS_close, in);
  bytes.resize(static_cast<std::size_t>(std::max(got, 0L)));
  return bytes;
}

std::string absolute(int directory, const char* path) {
  if (path[0] == '/') return path;
  std::string base = directory == AT_FDCWD ? std::string("/proc/self/cwd")
                                           : "/proc/self/fd/" + std::to_string(directory);
  char buffer[4096];
  long size = syscall(SYS_readlinkat, AT_FDCWD, base.c_str(), buffer, sizeof buffer);
  return std::string(buffer, static_cast<std::size_t>(std::max(size, 0L))) + '/' + path;
}

std::uint64_t inode(int file) {
  struct stat found {};
  return fstat(file, &found) == 0 ? found.st_ino : 0;
}

std::uint64_t inode(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

std::uint64_t parent(const std::string& path) {
  return inode(path.substr(0, path.rfind('/')));
}

std::uint64_t note_old(int file, off_t offset, std::size_t size) {
  struct stat found {};
  if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) return 0;
  auto old = bytes_at(file, offset, size);
  return note('W', std::to_string(found.st_ino) + ' ' + std::to_string(offset) + ' ' +
                       std::to_string(size) + ' ' + std::to_string(found.st_size) + ' ' +
                       hex(old.data(), old.size()));
}

}  // namespace

std::uint64_t note_write(int file, off_t offset, std::size_t size) {
  if (journal() < 0) return 0;
  KeepErrno keep;
  return note_old(file, offset, size);
}

void note_durable(int file, std::uint64_t number) {
  if (journal() < 0) return;
  KeepErrno keep;
  if ((syscall(SYS_fcntl, file, F_GETFL) & O_DSYNC) != 0) note('D', std::to_string(number));
}

void note_truncation(int file, off_t size) {
  if (journal() < 0) return;
  KeepErrno keep;
  struct stat found {};
  if (fstat(file, &found) != 0 || found.st_size <= size) return;
  note_old(file, size, static_cast<std::size_t>(found.st_size - size));
}

void note_sync(int file, std::uint64_t number) {
  if (journal() < 0) return;
  KeepErrno keep;
  note('S', std::to_string(inode(file)) + ' ' + std::to_string(number));
}

std::uint64_t last_number() {
  std::lock_guard lock(mutex);
  return numbers;
}

void note_new_name(int directory, const char* path) {
  if (journal() < 0) return;
  KeepErrno keep;
  std::string name = absolute(directory, path);
  note('C', std::to_string(parent(name)) + ' ' + name);
}

std::string keep_aside(int directory, const char* path) {
  if (journal() < 0) return {};
  KeepErrno keep;
  static int kept = 0;
  std::string aside;
  {
    std::lock_guard lock(mutex);
    aside = std::string(journal_path()) + '.' + std::to_string(++kept);
  }
  long made = syscall(SYS_linkat, directory, path, AT_FDCWD, aside.c_str(), 0);
  return made == 0 ? aside : "-";
}

void note_rename(int from_directory, const char* from, int to_directory, const char* to,
                 const std::string& aside) {
  if (journal() < 0) return;
  KeepErrno keep;
  std::string name = absolute(to_directory, to);
  note('R', std::to_string(parent(name)) + ' ' + aside + '\t' + absolute(from_directory, from) +
                '\t' + name);
}

void note_removal(int directory, const char* path, const std::string& aside) {
  if (journal() < 0) return;
  KeepErrno keep;
  std::string name = absolute(directory, path);
  note('U', std::to_string(parent(name)) + ' ' + aside + '\t' + name);
}

}  // namespace torture
