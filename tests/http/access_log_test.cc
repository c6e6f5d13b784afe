// The line of a request in the access log, and when it is written.
#include "http/access_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "temporary_directory.h"

namespace quire::http {
namespace {

class AccessLogTest : public testing::Test {
 protected:
  AccessLogTest() {
    file_ = open((directory_.path() + "/access.log").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  }
  ~AccessLogTest() override { close(file_); }

  std::string written() {
    std::string text(1 << 20, '\0');
    auto size = pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return text;
  }

  TemporaryDirectory directory_;
  int file_;
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
  AccessLog log(file_);
  log.add(line, date);
  log.flush();
  EXPECT_EQ(written(),
            "Sat, 21 Nov 2026 05:09:46 GMT 2001:db8::1 GET /v1/products/42/comments?rating=5 200 "
            "4711 1234us 00c0ffee00c0ffee shop\n");
}

TEST_F(AccessLogTest, LinesAreGatheredUntilFlushed) {
  AccessLog log(file_);
  log.add(line, date);
  log.add(line, date);
  EXPECT_EQ(written(), "");
  log.flush();
  auto once = written();
  EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 2);
  log.flush();
  EXPECT_EQ(written(), once) << "nothing is written twice";
}

TEST_F(AccessLogTest, AFullBlockIsWrittenWithoutWaiting) {
  AccessLog log(file_);
  std::size_t lines = 0;
  while (written().empty() && lines < 100'000) {
    log.add(line, date);
    ++lines;
  }
  EXPECT_GE(written().size(), 32u * 1024);
  EXPECT_EQ(written().size() % lines, 0u) << "whole lines only";
}

TEST_F(AccessLogTest, TheLastLinesAreWrittenAtTheEnd) {
  { AccessLog(file_).add(line, date); }
  EXPECT_NE(written(), "");
}

TEST_F(AccessLogTest, WithoutALogNothingHappens) {
  AccessLog none(-1);
  for (int i = 0; i < 10'000; ++i) none.add(line, date);
  none.flush();
  EXPECT_EQ(written(), "");
}

TEST_F(AccessLogTest, ALogThatCannotBeWrittenLosesLinesOnly) {
  int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  {
    AccessLog log(full);
    for (int i = 0; i < 10'000; ++i) log.add(line, date);
  }
  close(full);
}

}  // namespace
}  // namespace quire::http
