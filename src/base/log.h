// The log of a service: its file, and the thread that writes it, so that logging never waits for a
// disk, a terminal or a pipe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "quire/result.h"

namespace quire {

// The file of a log, which others rename and remove while it is written.
struct LogFile {
  std::string what;  // for messages: "the access log"
  std::string file;
  int flags;  // O_WRONLY or O_RDWR
};

// Opens a log to append, without waiting: a pipe must have a reader, and takes bytes without
// blocking. A new file is readable by its owner and group.
Result<int> open_log(const LogFile& log);
// Opens the log again, in place of the descriptor: after a rename further lines go to a new file.
// After an error lines go where they went.
Status reopen_log(const LogFile& log, int descriptor);

// Thread-safe. The thread begins with the first line.
class LogWriter {
 public:
  static constexpr std::size_t max_waiting = 8 * 1024 * 1024;  // bytes

  // `file`: a descriptor, which must stay open until the process ends. The writer never closes it.
  explicit LogWriter(int file);
  // Returns when all lines are written, or after `max_end`. A thread that hangs in a write then
  // runs until the process ends.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Takes whole lines, each with its "\n". Never waits for the file. Drops lines while
  // `max_waiting` bytes wait, and lines that the file refuses.
  void write(std::string lines);

  // The number of lines that all logs of this process have dropped.
  static std::uint64_t dropped();

 private:
  static constexpr std::chrono::milliseconds max_end{1000};
  struct Queue;

  bool begin();

  std::shared_ptr<Queue> queue_;  // the thread may outlive the writer
};

// At most one line a second, where many requests fail for the same reason. Thread-safe.
class LineASecond {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // How many lines were left out since the last one. Absent: this second has had its line.
  std::optional<std::uint64_t> next(Time now = std::chrono::steady_clock::now());

 private:
  std::atomic<std::int64_t> second_ = -1;
  std::atomic<std::uint64_t> left_out_ = 0;
};

// The words of another program, as a part of one line: with "?" for each control character.
std::string in_one_line(std::string words);

}  // namespace quire
