// What words cost those who write: the terms of comments, and the writer's hold.
#include <fmt/core.h>
#include <lmdb.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "lmdb/cursor.h"
#include "lmdb/environment.h"
#include "measuring.h"
#include "must.h"
#include "quire/comment.h"
#include "quire/ulid.h"
#include "store/embedded/databases.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/words.h"
#include "word_index/rewrite.h"
#include "word_index/state.h"
#include "word_index/terms.h"

namespace quire::bench {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Comment> read_some(const embedded::Databases& databases, std::size_t count) {
  std::vector<Comment> comments;
  lmdb::ReadTransaction txn(*databases.environment);
  lmdb::Cursor cursor(txn.get(), databases.comments);
  for (bool there = cursor.move(MDB_FIRST); there && comments.size() < count;
       there = cursor.move(MDB_NEXT)) {
    if (auto comment = embedded::read_comment(databases.comments, cursor))
      comments.push_back(std::move(*comment));
  }
  return comments;
}

class Posting {
 public:
  explicit Posting(const embedded::Databases& databases) : databases_(databases) {}

  void post(std::vector<Comment> comments, bool words) {
    std::vector<word_index::Terms> terms(comments.size());
    if (words)
      std::transform(comments.begin(), comments.end(), terms.begin(), word_index::terms_of);
    hold([&](embedded::Edit& edit) {
      for (std::size_t i = 0; i < comments.size(); ++i)
        must(edit.insert(comments[i], {}, {}, terms[i]));
    });
    if (words) merge();
  }

  // Larger merges are prepared by another thread than the writer's.
  bool merge() {
    return embedded::merge_words(databases_, [this](auto change) {
      bool put = false;
      hold([&](embedded::Edit& edit) { put = change(edit); });
      return put;
    });
  }

  void forget() {
    holds.clear();
    longest_by_clock = 0;
  }

  // Of each transaction the microseconds of the processor, and those of the longest by the clock.
  std::vector<double> holds;
  double longest_by_clock = 0;

 private:
  template <class Work>
  void hold(Work work) {
    auto begun = Clock::now();
    auto before = cpu_micros();
    {
      lmdb::WriteTransaction txn(*databases_.environment);
      embedded::Edit edit(databases_, txn);
      work(edit);
      edit.finish();
      txn.commit();
    }
    holds.push_back(cpu_micros() - before);
    std::chrono::duration<double, std::micro> took = Clock::now() - begun;
    longest_by_clock = std::max(longest_by_clock, took.count());
  }

  const embedded::Databases& databases_;
};

}  // namespace

void make_terms(const std::string& directory) {
  constexpr std::size_t enough = 100'000;
  auto databases = must(embedded::open_databases(directory, Access::read));
  auto comments = read_some(*databases, enough);
  auto begun = cpu_micros();
  std::size_t terms = 0;
  for (const auto& comment : comments) terms += word_index::terms_of(comment).size();
  auto all = static_cast<double>(comments.size());
  fmt::print("{{\"micros\":{:.3f},\"terms\":{:.2f}}}\n", (cpu_micros() - begun) / all,
             static_cast<double>(terms) / all);
}

void merge(const std::string& directory) {
  auto databases = must(embedded::open_databases(directory, Access::write));
  lmdb::check("setting", mdb_env_set_flags(databases->environment->get(), MDB_NOSYNC, 1));
  Posting posting(*databases);
  auto begun = cpu_micros();
  while (posting.merge()) continue;
  // The first transaction of a process is longer, whatever it writes.
  auto first = std::min<std::ptrdiff_t>(1, std::ssize(posting.holds));
  auto longest = std::max_element(posting.holds.begin() + first, posting.holds.end());
  fmt::print(R"({{"micros":{:.0f},"longest":{:.1f}}})"
             "\n",
             cpu_micros() - begun, longest == posting.holds.end() ? 0 : *longest);
}

void post(const std::string& directory, std::size_t posts, std::size_t group) {
  auto databases = must(embedded::open_databases(directory, Access::write));
  lmdb::check("setting", mdb_env_set_flags(databases->environment->get(), MDB_NOSYNC, 1));
  bool words = false;
  {
    lmdb::ReadTransaction txn(*databases->environment);
    words = word_index::read_contents(databases->words, txn.get()).changes();
  }
  constexpr std::size_t warm = 64;  // transactions, in which memory is first touched
  // Linux stops a program of real-time priority that never rests.
  constexpr std::chrono::microseconds rest{100};
  auto like = read_some(*databases, posts);
  Posting posting(*databases);
  auto now = system_ms();
  for (std::size_t posted = 0, end = posts + warm * group; posted < end;) {
    std::vector<Comment> some;
    for (; some.size() < group && posted < end; ++posted) {
      some.push_back(like.at(posted % like.size()));
      some.back().id = Ulid::make(now + posted, system_entropy());
    }
    posting.post(std::move(some), words);
    std::this_thread::sleep_for(rest);
    if (posted == warm * group) posting.forget();
  }
  auto& holds = posting.holds;
  auto all = std::accumulate(holds.begin(), holds.end(), 0.0);
  std::sort(holds.begin(), holds.end());
  auto p99 = holds.at((holds.size() - 1) * 99 / 100);
  fmt::print(R"({{"mean":{:.2f},"p99":{:.1f},"longest":{:.1f},"longest_by_clock":{:.1f}}})"
             "\n",
             all / static_cast<double>(posts), p99, holds.back(), posting.longest_by_clock);
}

}  // namespace quire::bench
