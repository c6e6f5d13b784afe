// Logging never waits, whatever happens to the file. Lines that the file takes arrive.
#include "base/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace quire {
namespace {

class Pipe {
 public:
  Pipe() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    from_ = ends[0];
    to = ends[1];
  }
  ~Pipe() { end(); }

  void end() {
    if (to >= 0) close(to);
    if (from_ >= 0) close(from_);
    to = from_ = -1;
  }

  // All written bytes, after the last writer has closed the pipe.
  std::string rest() {
    close(to);
    to = -1;
    std::string text, part(1 << 16, '\0');
    for (ssize_t size; (size = read(from_, part.data(), part.size())) > 0;)
      text.append(part, 0, static_cast<std::size_t>(size));
    return text;
  }

  int from() const { return from_; }

  int to;

 private:
  int from_;
};

auto lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST(LogWriter, WritesAllLinesInTheirOrderBeforeItEnds) {
  Pipe pipe;
  std::string expected;
  {
    LogWriter log(pipe.to);
    for (int i = 0; i < 1000; ++i) {
      auto line = "line " + std::to_string(i) + "\n";
      expected += line;
      log.write(line);
    }
  }
  EXPECT_EQ(pipe.rest(), expected);
}

TEST(LogWriter, KeepsTheLinesOfManyThreadsWhole) {
  Pipe pipe;
  std::string text;
  {
    LogWriter log(pipe.to);
    std::vector<std::thread> threads;
    for (char name = 'a'; name < 'e'; ++name) {
      threads.emplace_back([&log, name] {
        for (int i = 0; i < 100; ++i) log.write(std::string(50, name) + "\n");
      });
    }
    for (auto& thread : threads) thread.join();
  }
  text = pipe.rest();
  EXPECT_EQ(lines_in(text), 400);
  for (std::size_t at = 0; at < text.size(); at += 51)
    EXPECT_EQ(text.substr(at, 51), std::string(50, text[at]) + "\n");
}

// A pipe takes 64 KiB. Then the thread of the writer hangs; write() and the destructor do not.
TEST(LogWriter, WritingAndTheEndDoNotWaitForAPipeThatNobodyReads) {
  static Pipe& pipe = *new Pipe;  // outlives the thread, which hangs
  auto before = LogWriter::dropped();
  const std::string block = std::string(1023, 'x') + "\n";
  {
    LogWriter log(pipe.to);
    for (int i = 0; i < 20'000; ++i) log.write(block);
  }
  auto lost = LogWriter::dropped() - before;
  EXPECT_GE(lost, 20'000 - (LogWriter::max_waiting + 128 * 1024) / block.size());
  EXPECT_LE(lost, 20'000 - LogWriter::max_waiting / block.size()) << "lines that fit are kept";
}

TEST(LogWriter, ALateReaderGetsTheLinesThatWaited) {
  Pipe pipe;
  const std::string block = std::string(1023, 'x') + "\n";
  std::string text;
  auto before = LogWriter::dropped();
  std::thread reader;
  {
    LogWriter log(pipe.to);
    for (int i = 0; i < 1000; ++i) log.write(block);
    reader = std::thread([&, from = dup(pipe.from())] {
      std::string part(1 << 16, '\0');
      while (text.size() < 1000 * block.size()) {
        auto size = read(from, part.data(), part.size());
        if (size <= 0) break;
        text.append(part, 0, static_cast<std::size_t>(size));
      }
      close(from);
    });
  }
  reader.join();
  EXPECT_EQ(lines_in(text), 1000);
  EXPECT_EQ(LogWriter::dropped(), before);
}

TEST(LogWriter, LinesThatTheFileRefusesAreCounted) {
  int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  auto before = LogWriter::dropped();
  {
    LogWriter log(full);
    log.write("one\n");
    log.write("two\nthree\n");
  }
  EXPECT_EQ(LogWriter::dropped() - before, 3u);
  close(full);
}

TEST(LogWriter, ANonBlockingPipeLosesNothing) {
  Pipe pipe;
  fcntl(pipe.to, F_SETFL, O_NONBLOCK);
  std::string text;
  std::thread reader([&, from = dup(pipe.from())] {
    std::string part(1 << 12, '\0');
    while (lines_in(text) < 300) {
      auto size = read(from, part.data(), part.size());
      if (size <= 0) break;
      text.append(part, 0, static_cast<std::size_t>(size));
    }
    close(from);
  });
  {
    LogWriter log(pipe.to);
    for (int i = 0; i < 300; ++i) log.write(std::string(1023, 'y') + "\n");
  }
  reader.join();
  EXPECT_EQ(lines_in(text), 300);
}

TEST(LineASecond, TellsHowManyWereLeftOut) {
  using std::chrono::milliseconds;
  LineASecond lines;
  LineASecond::Time begun(std::chrono::hours(1));
  EXPECT_EQ(lines.next(begun), 0u);
  for (int i = 1; i < 10; ++i) EXPECT_FALSE(lines.next(begun + milliseconds(100 * i)));
  EXPECT_EQ(lines.next(begun + milliseconds(1000)), 9u);
  EXPECT_EQ(lines.next(begun + milliseconds(2500)), 0u);
}

TEST(InOneLine, ControlCharactersAreMarked) {
  EXPECT_EQ(in_one_line("a\r\nb\x7F"
                        "c\xC3\xA4"),
            "a??b?c\xC3\xA4");
}

}  // namespace
}  // namespace quire
