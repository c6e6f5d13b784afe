#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "base/rounds.h"
#include "lmdb/state.h"

namespace quire::lmdb {
namespace {

// Threads ask how long the file is while it grows, and one answer overtakes the other.
TEST(Map, HasThePagesOfAFileThatGrows) {
  constexpr std::uint32_t page_bytes = 4096;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  ASSERT_TRUE(file);
  int descriptor = fileno(file.get());
  Map map("data.mdb", {});
  map.set(reinterpret_cast<const char*>(std::uintptr_t{page_bytes}), page_bytes, descriptor);
  std::atomic<std::uint64_t> pages = 0;
  std::atomic<bool> done = false;
  std::atomic<int> missed = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 8; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        auto there = pages.load();
        if (there > 0 && !map.find(there - 1, 1)) ++missed;
      }
    });
  }
  for (std::uint64_t page = 1; page <= rounds(100'000u); ++page) {
    ASSERT_EQ(ftruncate(descriptor, static_cast<off_t>(page * page_bytes)), 0);
    pages = page;
  }
  done = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace quire::lmdb
