#include "base/log.h"

#include "base/try.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace quire {

namespace {

Error cannot_open(const LogFile& log) {
  std::string why = std::strerror(errno);
  if (errno == ENXIO) {
    why = "it is a pipe that no program reads, or a socket. Start its reader first, or name a file";
  }
  return {ErrorCode::unavailable, "Cannot open " + log.what + " " + log.file + ": " + why + "."};
}

int open_to_append(const LogFile& log, int flags) {
  constexpr int always = O_NONBLOCK | O_NOCTTY | O_CREAT | O_APPEND | O_CLOEXEC;
  return open(log.file.c_str(), flags | always, 0640);
}

std::atomic<std::uint64_t> dropped_lines = 0;

void drop(std::string_view lines) {
  dropped_lines += static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

// May block without limit.
void write_all(int file, std::string_view lines) {
  while (!lines.empty()) {
    auto written = ::write(file, lines.data(), lines.size());
    if (written >= 0) {
      lines.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // another process made the file non-blocking
      pollfd ready{file, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return drop(lines);
    }
  }
}

}  // namespace

Result<int> open_log(const LogFile& log) {
  // Only who opens a pipe to write alone is told that it has no reader.
  int opened = open_to_append(log, O_WRONLY);
  if (opened >= 0 && log.flags == O_RDWR) {
    close(opened);
    opened = open_to_append(log, O_RDWR);
  }
  if (opened < 0) return cannot_open(log);
  return opened;
}

Status reopen_log(const LogFile& log, int descriptor) {
  TRY(auto opened, open_log(log));
  Status taken = Done{};
  if (dup3(opened, descriptor, O_CLOEXEC) < 0) taken = cannot_open(log);
  close(opened);
  return taken;
}

struct LogWriter::Queue {
  explicit Queue(int log) : file(log) {}

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return !waiting.empty() || ending; });
      if (waiting.empty()) break;
      auto blocks = std::exchange(waiting, {});
      auto bytes = std::exchange(waiting_bytes, 0);
      writing_bytes = bytes;
      lock.unlock();
      for (const auto& block : blocks) write_all(file, block);
      lock.lock();
      writing_bytes = 0;
    }
    ended = true;
    changed.notify_all();
  }

  const int file;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> waiting;
  std::size_t waiting_bytes = 0;
  std::size_t writing_bytes = 0;
  bool begun = false;
  bool ending = false;
  bool ended = false;
};

LogWriter::LogWriter(int file) : queue_(std::make_shared<Queue>(file)) {}

LogWriter::~LogWriter() {
  std::unique_lock lock(queue_->mutex);
  if (!queue_->begun) return;
  queue_->ending = true;
  queue_->changed.notify_all();
  queue_->changed.wait_for(lock, max_end, [&] { return queue_->ended; });
}

void LogWriter::write(std::string lines) {
  if (lines.empty()) return;
  std::unique_lock lock(queue_->mutex);
  if (queue_->waiting_bytes + queue_->writing_bytes + lines.size() > max_waiting) {
    lock.unlock();
    return drop(lines);
  }
  if (!begin()) {
    lock.unlock();
    return drop(lines);
  }
  queue_->waiting_bytes += lines.size();
  queue_->waiting.push_back(std::move(lines));
  queue_->changed.notify_all();
}

// Starts the thread. False: the system has no thread left.
bool LogWriter::begin() {
  if (queue_->begun) return true;
  try {
    std::thread([queue = queue_] { queue->work(); }).detach();
  } catch (const std::system_error&) {
    return false;
  }
  return queue_->begun = true;
}

std::optional<std::uint64_t> LineASecond::next(Time now) {
  auto second = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  if (second_.exchange(second) != second) return left_out_.exchange(0);
  ++left_out_;
  return {};
}

std::string in_one_line(std::string words) {
  for (char& c : words)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return words;
}

std::uint64_t LogWriter::dropped() {
  return dropped_lines;
}

}  // namespace quire
