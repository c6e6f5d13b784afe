// A library that is loaded before the C library (LD_PRELOAD). It fails calls on files of the store
// as ordered (fault.h), and notes unsynced writes (journal.h). LMDB and Quire make all their system
// calls through the C library.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <utility>
#include <vector>

#include "torture/fault.h"
#include "torture/journal.h"

using torture::Call;
using torture::Fault;
using torture::How;

namespace {

// The function of that name in the C library.
template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) static const auto real_##name = real<decltype(&::name)>(#name)

// Runs `deed`, or what was ordered instead. `failure` is the result of a failed deed. `failed`
// makes a result that is an error number, as posix_fallocate returns.
template <class Deed, class Answer>
Answer done(Call call, Answer failure, const Deed& deed) {
  Fault fault = torture::next(call);
  if (fault.how == How::kills || fault.how == How::kills_midway) torture::die();
  if (fault.how == How::lies) return Answer{};
  bool before = fault.how == How::fails || fault.how == How::is_short;
  Answer answer = before ? failure : deed();
  if (fault.how == How::goes_on) return answer;
  if (fault.how == How::kills_late) torture::die();
  errno = fault.error ? fault.error : EIO;
  return failure;
}

std::vector<iovec> first_half(const iovec* parts, int count, std::size_t size) {
  std::size_t left = std::max<std::size_t>(size / 2, 1);
  std::vector<iovec> half;
  for (int i = 0; i < count && left > 0; ++i) {
    half.push_back({parts[i].iov_base, std::min(left, parts[i].iov_len)});
    left -= half.back().iov_len;
  }
  return half;
}

// Every write to a file of the store. `offset` -1: at the current position of the file.
ssize_t put(int file, const iovec* parts, int count, off_t offset) {
  REAL(writev);
  REAL(pwritev);
  auto deed = [&](const iovec* some, int number) {
    return offset < 0 ? real_writev(file, some, number) : real_pwritev(file, some, number, offset);
  };
  if (!torture::concerns(file)) return deed(parts, count);
  std::size_t size = std::accumulate(parts, parts + count, std::size_t{0},
                                     [](std::size_t n, const iovec& p) { return n + p.iov_len; });
  off_t at = offset >= 0 ? offset : lseek(file, 0, SEEK_CUR);
  Fault fault = torture::next(Call::write);
  if (fault.how == How::kills) torture::die();
  if (fault.how == How::fails) {
    errno = fault.error;
    return -1;
  }
  if (fault.how == How::lies) return static_cast<ssize_t>(size);
  auto number = torture::note_write(file, at, size);
  ssize_t written;
  if (fault.how == How::is_short || fault.how == How::kills_midway) {
    auto half = first_half(parts, count, size);
    written = deed(half.data(), static_cast<int>(half.size()));
    if (fault.how == How::kills_midway) torture::die();
    return written;
  }
  written = deed(parts, count);
  if (fault.how == How::kills_late) torture::die();
  if (fault.how == How::fails_late) {
    errno = fault.error;
    return -1;
  }
  if (written >= 0) torture::note_durable(file, number);
  return written;
}

int synced(int file, int (*sync)(int)) {
  if (!torture::concerns(file)) return sync(file);
  auto number = torture::last_number();
  return done(Call::sync, -1, [&] {
    int answer = sync(file);
    if (answer == 0) torture::note_sync(file, number);
    return answer;
  });
}

int opened(int directory, const char* path, int flags, mode_t mode) {
  REAL(openat);
  if (!torture::concerns(directory, path)) return real_openat(directory, path, flags, mode);
  return done(Call::open, -1, [&] {
    bool is_new = (flags & O_CREAT) && faccessat(directory, path, F_OK, 0) != 0;
    int file = real_openat(directory, path, flags, mode);
    if (file >= 0 && is_new) torture::note_new_name(directory, path);
    return file;
  });
}

mode_t mode_of(int flags, va_list rest) {
  bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  return makes ? static_cast<mode_t>(va_arg(rest, int)) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int __open_2(const char* path, int flags) {
  return opened(AT_FDCWD, path, flags, 0);
}
int __open64_2(const char* path, int flags) __attribute__((alias("__open_2")));

int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return opened(directory, path, flags, mode);
}
int openat64(int directory, const char* path, int flags, ...) __attribute__((alias("openat")));

FILE* fopen(const char* path, const char* mode) {
  REAL(fopen);
  if (!torture::concerns(AT_FDCWD, path)) return real_fopen(path, mode);
  return done(Call::open, static_cast<FILE*>(nullptr), [&] { return real_fopen(path, mode); });
}
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));

ssize_t read(int file, void* bytes, size_t size) {
  REAL(read);
  if (!torture::concerns(file)) return real_read(file, bytes, size);
  return done(Call::read, ssize_t{-1}, [&] { return real_read(file, bytes, size); });
}
ssize_t __read_chk(int file, void* bytes, size_t size, size_t) {
  return read(file, bytes, size);
}

ssize_t pread(int file, void* bytes, size_t size, off_t offset) {
  REAL(pread);
  if (!torture::concerns(file)) return real_pread(file, bytes, size, offset);
  return done(Call::read, ssize_t{-1}, [&] { return real_pread(file, bytes, size, offset); });
}
ssize_t pread64(int file, void* bytes, size_t size, off_t offset) __attribute__((alias("pread")));
ssize_t __pread_chk(int file, void* bytes, size_t size, off_t offset, size_t) {
  return pread(file, bytes, size, offset);
}

ssize_t readv(int file, const iovec* parts, int count) {
  REAL(readv);
  if (!torture::concerns(file)) return real_readv(file, parts, count);
  return done(Call::read, ssize_t{-1}, [&] { return real_readv(file, parts, count); });
}

ssize_t write(int file, const void* bytes, size_t size) {
  iovec part{const_cast<void*>(bytes), size};
  return put(file, &part, 1, -1);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  iovec part{const_cast<void*>(bytes), size};
  return put(file, &part, 1, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off_t offset)
    __attribute__((alias("pwrite")));
ssize_t writev(int file, const iovec* parts, int count) {
  return put(file, parts, count, -1);
}
ssize_t pwritev(int file, const iovec* parts, int count, off_t offset) {
  return put(file, parts, count, offset);
}
ssize_t pwritev64(int file, const iovec* parts, int count, off_t offset)
    __attribute__((alias("pwritev")));

ssize_t sendfile(int to, int from, off_t* offset, size_t size) noexcept {
  REAL(sendfile);
  if (!torture::concerns(to)) return real_sendfile(to, from, offset, size);
  return done(Call::write, ssize_t{-1}, [&] {
    torture::note_write(to, lseek(to, 0, SEEK_CUR), size);
    return real_sendfile(to, from, offset, size);
  });
}
ssize_t sendfile64(int to, int from, off_t* offset, size_t size) noexcept
    __attribute__((alias("sendfile")));

int fsync(int file) {
  REAL(fsync);
  return synced(file, real_fsync);
}
int fdatasync(int file) {
  REAL(fdatasync);
  return synced(file, real_fdatasync);
}

int ftruncate(int file, off_t size) noexcept {
  REAL(ftruncate);
  if (!torture::concerns(file)) return real_ftruncate(file, size);
  return done(Call::truncate, -1, [&] {
    torture::note_truncation(file, size);
    return real_ftruncate(file, size);
  });
}
int ftruncate64(int file, off_t size) noexcept __attribute__((alias("ftruncate")));

// Returns the error number.
int posix_fallocate(int file, off_t offset, off_t size) {
  REAL(posix_fallocate);
  if (!torture::concerns(file)) return real_posix_fallocate(file, offset, size);
  int kept = errno;
  int answer = done(Call::allocate, -1, [&] { return real_posix_fallocate(file, offset, size); });
  return answer == -1 ? std::exchange(errno, kept) : answer;
}
int posix_fallocate64(int file, off_t offset, off_t size) __attribute__((alias("posix_fallocate")));

int fallocate(int file, int mode, off_t offset, off_t size) {
  REAL(fallocate);
  if (!torture::concerns(file)) return real_fallocate(file, mode, offset, size);
  return done(Call::allocate, -1, [&] { return real_fallocate(file, mode, offset, size); });
}
int fallocate64(int file, int mode, off_t offset, off_t size) __attribute__((alias("fallocate")));

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  REAL(mmap);
  auto deed = [&] { return real_mmap(at, size, protection, flags, file, offset); };
  if ((flags & MAP_ANONYMOUS) || !torture::concerns(file)) return deed();
  return done(Call::map, MAP_FAILED, deed);
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept
    __attribute__((alias("mmap")));

int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  REAL(renameat);
  if (!torture::concerns(to_directory, to))
    return real_renameat(from_directory, from, to_directory, to);
  return done(Call::rename, -1, [&] {
    auto aside = torture::keep_aside(to_directory, to);
    int answer = real_renameat(from_directory, from, to_directory, to);
    if (answer == 0) torture::note_rename(from_directory, from, to_directory, to, aside);
    return answer;
  });
}
int rename(const char* from, const char* to) noexcept {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
int renameat2(int from_directory, const char* from, int to_directory, const char* to,
              unsigned flags) noexcept {
  REAL(renameat2);
  if (!torture::concerns(to_directory, to))
    return real_renameat2(from_directory, from, to_directory, to, flags);
  return done(Call::rename, -1,
              [&] { return real_renameat2(from_directory, from, to_directory, to, flags); });
}

int linkat(int from_directory, const char* from, int to_directory, const char* to,
           int flags) noexcept {
  REAL(linkat);
  if (!torture::concerns(to_directory, to))
    return real_linkat(from_directory, from, to_directory, to, flags);
  return done(Call::link, -1, [&] {
    int answer = real_linkat(from_directory, from, to_directory, to, flags);
    if (answer == 0) torture::note_new_name(to_directory, to);
    return answer;
  });
}
int link(const char* from, const char* to) noexcept {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int directory, const char* path, int flags) noexcept {
  REAL(unlinkat);
  if (!torture::concerns(directory, path)) return real_unlinkat(directory, path, flags);
  return done(Call::unlink, -1, [&] {
    auto aside = (flags & AT_REMOVEDIR) ? "/" : torture::keep_aside(directory, path);
    int answer = real_unlinkat(directory, path, flags);
    if (answer == 0) torture::note_removal(directory, path, aside);
    return answer;
  });
}
int unlink(const char* path) noexcept {
  return unlinkat(AT_FDCWD, path, 0);
}
int remove(const char* path) noexcept {
  int answer = unlinkat(AT_FDCWD, path, 0);
  return answer != 0 && errno == EISDIR ? unlinkat(AT_FDCWD, path, AT_REMOVEDIR) : answer;
}

int mkdir(const char* path, mode_t mode) noexcept {
  REAL(mkdir);
  if (!torture::concerns(AT_FDCWD, path)) return real_mkdir(path, mode);
  return done(Call::make_directory, -1, [&] {
    int answer = real_mkdir(path, mode);
    if (answer == 0) torture::note_new_name(AT_FDCWD, path);
    return answer;
  });
}

int flock(int file, int operation) noexcept {
  REAL(flock);
  if (!torture::concerns(file)) return real_flock(file, operation);
  return done(Call::lock, -1, [&] { return real_flock(file, operation); });
}

int fcntl(int file, int command, ...) {
  REAL(fcntl);
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  bool lock = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
              command == F_OFD_SETLKW;
  if (!lock || !torture::concerns(file)) return real_fcntl(file, command, argument);
  return done(Call::lock, -1, [&] { return real_fcntl(file, command, argument); });
}
int fcntl64(int file, int command, ...) __attribute__((alias("fcntl")));

}  // extern "C"
