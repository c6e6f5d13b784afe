// The n-th of one list, and of several. Every call has a reader or view of its own, as every
// request does; making it is timed too. The results are checked outside of the timed part.
#include <fmt/core.h>

#include <random>
#include <stdexcept>

#include "built.h"
#include "commands.h"
#include "ids.h"
#include "loop/wait.h"
#include "must.h"
#include "page_index/union.h"
#include "store/embedded/view.h"
#include "times.h"

namespace quire::bench {
namespace {

constexpr std::uint64_t puts = 2000;  // ids put in one by one

void expect(bool right) {
  if (!right) throw std::runtime_error("a rank and its id disagree");
}

struct Places {
  std::uint64_t members;
  std::mt19937_64 random{3};
  std::uint64_t next() { return random() % members; }
};

std::string one_list(const Built& built, const SetSize& size) {
  lmdb::ReadTransaction txn(*built.databases().environment);
  auto list = built.numbers()[0];
  auto reader = [&] { return lmdb::RankedReader(txn.get(), built.databases().lists); };
  expect(reader().length(list) == size.members);
  Places places{size.members};
  std::vector<std::pair<std::uint64_t, Ulid>> known;
  for (std::uint64_t i = 0; i < size.samples; ++i) {
    auto n = places.next();
    known.push_back({n, reader().nth(list, n).value()});
  }
  Times nth, rank;
  for (std::uint64_t i = 0; i < size.samples; ++i) {
    auto n = places.next();
    auto begun = Clock::now();
    auto id = reader().nth(list, n);
    nth.add(begun);
    expect(id.has_value());
  }
  for (const auto& [n, id] : known) {
    auto begun = Clock::now();
    auto found = reader().rank(list, id);
    rank.add(begun);
    expect(found == n);
  }
  // Some positions to check the peers by, counted from the newest as the peers count.
  std::string probes;
  for (auto depth : {std::uint64_t{0}, size.members / 3, size.members / 2, size.members - 1})
    probes += fmt::format(R"({}[{},"{}"])", probes.empty() ? "" : ",", depth,
                          reader().nth(list, size.members - 1 - depth).value().text());
  return fmt::format(R"("nth":{},"rank":{},"probes":[{}])", nth.json(), rank.json(), probes);
}

// Puts ids newer than all others, as new comments are. Commits nothing.
std::string put_one_by_one(const Built& built) {
  lmdb::WriteTransaction txn(*built.databases().environment);
  std::mt19937_64 random(4);
  Times times;
  for (std::uint64_t i = 0; i < puts; ++i) {
    lmdb::RankedChange change{random_id(last_ms + i, random), true};
    auto begun = Clock::now();
    lmdb::apply(txn, built.databases().lists, built.numbers()[0], {&change, 1});
    times.add(begun);
  }
  return times.json();
}

std::string several_lists(const Built& built, const SetSize& size) {
  std::vector<std::uint64_t> lengths;
  {
    lmdb::ReadTransaction txn(*built.databases().environment);
    lmdb::RankedReader reader(txn.get(), built.databases().lists);
    for (auto list : built.numbers()) lengths.push_back(reader.length(list));
  }
  Places places{size.members};
  Times nth;
  int rounds = 0;
  wait([&]() -> Awaitable<Done> {
    for (std::uint64_t i = 0; i < size.samples; ++i) {
      auto n = places.next();
      auto begun = Clock::now();
      embedded::LmdbView view(built.databases());
      auto found = must(co_await view.nth_of_union("product-1", built.lists(), lengths, n));
      nth.add(begun);
      rounds += found.rounds;
      expect(must(co_await rank_in_union(view, "product-1", built.lists(), found.id)) == n);
    }
    co_return Done{};
  }());
  return fmt::format(R"("nth":{},"rounds":{:.3f})", nth.json(),
                     rounds / static_cast<double>(size.samples));
}

}  // namespace

void measure_set(const std::string& directory, const SetSize& size) {
  Built built(directory, size.members, size.lists);
  built.walk();
  auto members = static_cast<double>(size.members);
  auto found = size.lists == 1 ? one_list(built, size) : several_lists(built, size);
  auto file = static_cast<double>(built.file_bytes()) / members;
  auto tree = static_cast<double>(built.tree_bytes()) / members;
  fmt::print(R"({{"members":{},"lists":{},"builtPerSecond":{:.0f},"fileBytes":{:.2f},)",
             size.members, size.lists, members / built.seconds(), file);
  fmt::print(R"("treeBytes":{:.2f},{},"put":{}}})", tree, found,
             size.lists == 1 ? put_one_by_one(built) : "null");
}

}  // namespace quire::bench
