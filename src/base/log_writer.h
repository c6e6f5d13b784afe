// Writes a log, on a thread of its own: logging never waits for a disk, a terminal or a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace quire {

// Thread-safe. The thread begins with the first line.
class LogWriter {
 public:
  static constexpr std::size_t max_waiting = 8 * 1024 * 1024;  // bytes

  // `file`: a descriptor, which must stay open until the process ends. Not closed.
  explicit LogWriter(int file);
  // Returns when all lines are written, or after `max_end`: the thread may hang in a write for
  // ever, and is then left to the end of the process.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Whole lines, each with its end. Never waits for the file. Lines that would make more than
  // `max_waiting` bytes wait are dropped; so are lines that the file does not take.
  void write(std::string lines);

  // Lines that this process has dropped, of all its logs.
  static std::uint64_t dropped();

 private:
  static constexpr std::chrono::milliseconds max_end{1000};
  struct Queue;

  bool begin();

  std::shared_ptr<Queue> queue_;  // the thread may outlive the writer
};

}  // namespace quire
