// The lines of the access log, and when they are written.
#include "http/server/event_loop.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "temporary_directory.h"

namespace quire::http {
namespace {

class AccessLogTest : public testing::Test {
 protected:
  AccessLogTest() {
    file_ = open((directory_.path() + "/access.log").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    writer_.emplace(file_);
  }
  ~AccessLogTest() override {
    writer_.reset();
    close(file_);
  }

  // Ends the writer, and returns all that was written.
  std::string written() {
    writer_.reset();
    std::string text(1 << 20, '\0');
    auto size = pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return text;
  }

  TemporaryDirectory directory_;
  int file_;
  std::optional<LogWriter> writer_;
};

const AccessLine line{.client = "2001:db8::1",
                      .method = "GET",
                      .target = "/v1/products/42/comments?rating=5",
                      .id = "00c0ffee00c0ffee",
                      .status = 200,
                      .bytes = 4711,
                      .took = std::chrono::nanoseconds(1'234'567),
                      .token = "shop"};
constexpr std::string_view date = "Sat, 21 Nov 2026 05:09:46 GMT";

TEST_F(AccessLogTest, ALineHasTimeClientRequestStatusSizeDurationAndId) {
  AccessLog log(&*writer_);
  log.add(line, date);
  log.flush();
  EXPECT_EQ(written(),
            "Sat, 21 Nov 2026 05:09:46 GMT 2001:db8::1 GET /v1/products/42/comments?rating=5 200 "
            "4711 1234us 00c0ffee00c0ffee shop\n");
}

TEST_F(AccessLogTest, LinesAreGatheredUntilFlushed) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  {
    LogWriter writer(ends[1]);
    AccessLog log(&writer);
    log.add(line, date);
    log.add(line, date);
    log.flush();
    std::string block(4096, '\0');
    block.resize(static_cast<std::size_t>(read(ends[0], block.data(), block.size())));
    EXPECT_EQ(std::count(block.begin(), block.end(), '\n'), 2) << "in one write";
    log.flush();
  }
  close(ends[1]);
  char more;
  EXPECT_EQ(read(ends[0], &more, 1), 0) << "nothing is written twice";
  close(ends[0]);
}

TEST_F(AccessLogTest, AFullBlockIsPassedOnAtOnce) {
  std::size_t lines = 1000;
  AccessLog log(&*writer_);
  for (std::size_t i = 0; i < lines; ++i) log.add(line, date);
  auto text = written();
  EXPECT_GE(text.size(), 32u * 1024);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 1000);
  EXPECT_EQ(text.back(), '\n') << "whole lines only";
  writer_.emplace(file_);  // for the rest
}

TEST_F(AccessLogTest, TheLastLinesAreWrittenAtTheEnd) {
  { AccessLog(&*writer_).add(line, date); }
  EXPECT_NE(written(), "");
}

TEST_F(AccessLogTest, WithoutAWriterNothingHappens) {
  AccessLog none(nullptr);
  for (int i = 0; i < 10'000; ++i) none.add(line, date);
  none.flush();
  EXPECT_EQ(written(), "");
}

}  // namespace
}  // namespace quire::http
