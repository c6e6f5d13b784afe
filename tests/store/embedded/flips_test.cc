// Flips single bits of data.mdb. After each flip an export is unchanged, or verify reports a
// difference, or opening fails, or the process ends with one sentence and status 1.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

#include "base/rounds.h"
#include "bytes.h"
#include "lmdb/faults.h"
#include "loop/loop.h"
#include "model/document.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

std::string exported(Store& store) {
  std::string out;
  auto view = store.view();
  auto found = wait(view->scan({}, 100'000));
  if (!found) return found.error().message;
  for (const auto& entry : found->entries) {
    if (!is_damaged(entry.document)) out.append(document_json(entry.document)).append("\n");
  }
  return out;
}

class Flips : public testing::Test {
 protected:
  void SetUp() override {
    auto store = LmdbStore::open(directory_.path(), Access::write).value();
    for (std::uint64_t i = 0; i < 60; ++i) {
      Comment comment = comment_at(1000 + i, i, i % 3 ? "en" : "de", static_cast<int>(i % 5) + 1,
                                   i % 4 ? "42" : "a/b");
      comment.attributes = {{"size", i % 2 ? "S" : "XL"}, {"votes", std::int64_t(i * i)}};
      if (i == 7) comment.text = std::string(9000, 'x');
      std::optional<RequestKey> key;
      if (i % 10 == 0) key = RequestKey{{static_cast<std::uint8_t>(i)}, {1}, 5000 + i};
      ASSERT_TRUE(wait(store->insert(comment, key)));
    }
    for (std::uint64_t i : {3, 10, 21}) ASSERT_TRUE(wait(store->remove(id_at(1000 + i, i))));
    ASSERT_TRUE(wait(store->update(id_at(1005, 5), Patch{.text = "edited"})));
    ASSERT_TRUE(wait(store->facets()->declare({"size", FacetType::choice, {"S", "XL"}})));
    ASSERT_TRUE(wait(store->facets()->declare({"votes", FacetType::number})));
    while (wait(store->view()->schema()).value()->find("votes")->status.state !=
           FacetStatus::State::ready)
      std::this_thread::yield();
    ASSERT_TRUE(wait(store->words()->add_words()));
    while (wait(store->word_status()).value()->state != FacetStatus::State::ready)
      std::this_thread::yield();
    ASSERT_EQ(verify(store->databases()).differences, 0u);
    wanted_ = exported(*store);
    store.reset();
    bytes_ = file_bytes(file());
  }

  std::string file() const { return directory_.path() + "/data.mdb"; }

  // Every bit of the numbers in the meta pages (on a sanitizer every fifth), and random other bits.
  std::vector<std::size_t> places(std::size_t others) const {
    std::vector<std::size_t> bits;
    for (std::size_t page : {0, 4096}) {
      for (std::size_t bit = 0; bit < 152 * 8; bit += sanitized ? 5 : 1)
        bits.push_back(page * 8 + bit);
    }
    std::mt19937_64 random(20240607);
    while (others-- > 0) bits.push_back(random() % (bytes_.size() * 8));
    return bits;
  }

  // Whether a flip is detected, or harmless.
  bool passes(std::size_t bit, const std::string& directory) const {
    auto damaged = bytes_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    put_file(directory + "/data.mdb", damaged);
    auto store = LmdbStore::open(directory, Access::read);
    if (!store) return !store.error().message.empty();
    if (verify((*store)->databases()).differences > 0) return true;
    return exported(**store) == wanted_;
  }

  TemporaryDirectory directory_;
  std::string wanted_, bytes_;
};

// Opening a damaged file waits a moment: a writer may be just changing it. So several processes
// flip bits at once, each in a directory of its own.
TEST_F(Flips, AreDetectedIfTheyChangeAnExport) {
  auto bits = places(rounds(3000u));
  constexpr std::size_t at_once = 8;
  std::array<TemporaryDirectory, at_once> directories;
  void* shared = mmap(nullptr, at_once * sizeof(std::size_t), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* next = static_cast<std::size_t*>(shared);  // of each process
  std::map<pid_t, std::size_t> running;
  auto start = [&](std::size_t i) {
    pid_t child = fork();
    running[child] = i;
    if (child != 0) return;
    lmdb::end_at_faults();
    for (; next[i] < bits.size(); next[i] += at_once)
      if (!passes(bits[next[i]], directories[i].path())) _exit(2);
    _exit(0);
  };
  for (std::size_t i = 0; i < at_once; ++i) {
    next[i] = i;
    start(i);
  }
  std::size_t faults = 0, flipped = 0;
  while (!running.empty()) {
    int status = 0;
    auto ended = running.extract(waitpid(-1, &status, 0));
    ASSERT_TRUE(ended);
    auto i = ended.mapped();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      flipped += next[i] / at_once;
      continue;
    }
    auto bit = bits[next[i]];
    ASSERT_TRUE(WIFEXITED(status)) << "bit " << bit << ": signal " << WTERMSIG(status);
    ASSERT_EQ(WEXITSTATUS(status), 1) << "bit " << bit << " changes an export, undetected";
    next[i] += at_once;
    ++faults;
    start(i);
  }
  munmap(shared, at_once * sizeof(std::size_t));
  EXPECT_EQ(flipped, bits.size());
  EXPECT_LT(faults, 50u) << "most damage is found before LMDB trusts the file";
}

// Free pages at the end may be cut.
TEST_F(Flips, AFileCutShortIsRefused) {
  for (std::size_t size = 0; size < bytes_.size(); size += 3000) {
    put_file(file(), std::string_view(bytes_).substr(0, size));
    auto store = LmdbStore::open(directory_.path(), Access::read);
    if (store) {
      EXPECT_EQ(verify((*store)->databases()).differences, 0u);
      EXPECT_EQ(exported(**store), wanted_);
      continue;
    }
    EXPECT_NE(store.error().message.find("Restore a backup"), std::string::npos)
        << store.error().message;
    auto writer = LmdbStore::open(directory_.path(), Access::write);
    ASSERT_FALSE(writer) << size;
    EXPECT_EQ(std::filesystem::file_size(file()), size) << "the file stays unchanged";
  }
  put_file(file(), std::string_view(bytes_).substr(0, bytes_.size() / 2));
  EXPECT_FALSE(LmdbStore::open(directory_.path(), Access::read));
}

// Cuts the file while it is mapped: the process ends with one sentence. Other faults keep their
// signal.
TEST_F(Flips, AFaultInTheMapEndsTheProcessWithOneSentence) {
  int said[2];
  ASSERT_EQ(pipe(said), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(said[1], STDERR_FILENO);
    lmdb::end_at_faults();
    auto store = LmdbStore::open(directory_.path(), Access::read).value();
    if (truncate(file().c_str(), 4096 * 3) != 0) _exit(9);
    (void)exported(*store);
    _exit(8);
  }
  close(said[1]);
  int status = 0;
  waitpid(child, &status, 0);
  char text[1000] = {};
  ASSERT_GT(read(said[0], text, sizeof text - 1), 0);
  close(said[0]);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(std::string(text), "quire: " + directory_.path() +
                                   "/data.mdb is damaged: reading it failed. Restore a backup: "
                                   "docs/operating.md, Restoring.\n");
}

}  // namespace
}  // namespace quire::embedded
