// The n-th of all ids, and of those with one of several values. Every call has a reader of its own,
// as every request does; making it is timed too. The results are checked outside of the timed part.
#include <fmt/core.h>

#include <random>
#include <stdexcept>

#include "bitmap_index/reading/matches.h"
#include "built.h"
#include "commands.h"
#include "ids.h"
#include "loop/loop.h"
#include "times.h"

namespace quire::bench {
namespace {

using bitmap_index::every_id;
using bitmap_index::Matches;
using bitmap_index::Reader;

constexpr std::uint64_t puts = 2000;  // ids put in one by one

void expect(bool right) {
  if (!right) throw std::runtime_error("a rank and its id disagree");
}

struct Places {
  std::uint64_t members;
  std::mt19937_64 random{3};
  std::uint64_t next() { return random() % members; }
};

std::string all_ids(const Built& built, const SetSize& size) {
  lmdb::ReadTransaction txn(built.environment());
  auto reader = [&] { return Reader(txn.get(), built.databases(), only_product); };
  expect(reader().length() == size.members);
  Places places{size.members};
  std::vector<std::pair<std::uint64_t, Ulid>> known;
  for (std::uint64_t i = 0; i < size.samples; ++i) {
    auto n = places.next();
    known.push_back({n, reader().nth(every_id, 0, n).value()});
  }
  Times nth, rank;
  for (std::uint64_t i = 0; i < size.samples; ++i) {
    auto n = places.next();
    auto begun = Clock::now();
    auto id = reader().nth(every_id, 0, n);
    nth.add(begun);
    expect(id.has_value());
  }
  for (const auto& [n, id] : known) {
    auto begun = Clock::now();
    auto found = reader().rank(every_id, 0, id);
    rank.add(begun);
    expect(found == n);
  }
  // Some positions to check the peers by, counted from the newest as the peers count.
  std::string probes;
  for (auto depth : {std::uint64_t{0}, size.members / 3, size.members / 2, size.members - 1})
    probes += fmt::format(R"({}[{},"{}"])", probes.empty() ? "" : ",", depth,
                          reader().nth(every_id, 0, size.members - 1 - depth).value().text());
  return fmt::format(R"("nth":{},"rank":{},"probes":[{}])", nth.json(), rank.json(), probes);
}

// Puts ids newer than all others, as new comments are. Commits nothing.
std::string put_one_by_one(const Built& built) {
  lmdb::WriteTransaction txn(built.environment());
  std::mt19937_64 random(4);
  Times times;
  for (std::uint64_t i = 0; i < puts; ++i) {
    bitmap_index::Change change{random_id(last_ms + i, random),
                                std::vector<bitmap_index::Value>{{0, 0}}};
    auto begun = Clock::now();
    bitmap_index::IndexEdit(built.databases(), txn).apply(only_product, {&change, 1});
    times.add(begun);
  }
  return times.json();
}

std::string several_values(const Built& built, const SetSize& size) {
  lmdb::ReadTransaction txn(built.environment());
  Places places{size.members};
  Times nth;
  wait([&]() -> Awaitable<Done> {
    for (std::uint64_t i = 0; i < size.samples; ++i) {
      auto n = places.next();
      auto begun = Clock::now();
      Reader reader(txn.get(), built.databases(), only_product);
      Matches matches(reader, {built.all_values(), Sort::oldest}, {});
      auto found = co_await matches.nth(n);
      nth.add(begun);
      expect(found.has_value());
      auto rank = co_await matches.rank(*found);
      expect(rank == n);
    }
    co_return Done{};
  }());
  return fmt::format(R"("nth":{})", nth.json());
}

}  // namespace

void measure_set(const std::string& directory, const SetSize& size) {
  Built built(directory, size.members, size.values);
  built.walk();
  auto members = static_cast<double>(size.members);
  auto found = size.values == 1 ? all_ids(built, size) : several_values(built, size);
  fmt::print(
      R"({{"members":{},"values":{},"builtPerSecond":{:.0f},"fileBytes":{:.2f},{},"put":{}}})",
      size.members, size.values, members / built.seconds(),
      static_cast<double>(built.file_bytes()) / members, found,
      size.values == 1 ? put_one_by_one(built) : "null");
}

}  // namespace quire::bench
