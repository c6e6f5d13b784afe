// The n-th, ranks and pages: of one value, under filters, and by votes.
#include <fmt/format.h>

#include "bitmap_index/reading/matches.h"
#include "commands.h"
#include "filters.h"
#include "loop/loop.h"
#include "times.h"

namespace quire::bench {
namespace {

using namespace bitmap_index;

constexpr std::size_t kept_bytes = 256 << 20;

struct PlaceTimes {
  Times nth, rank, page;
  std::string json() {
    return fmt::format(R"({{"nth":{},"rank":{},"page":{}}})", nth.json(), rank.json(), page.json());
  }
};

// Asks for the match at a random depth, the page behind it, and its rank.
template <class AnyClock>
Awaitable<Done> ask(BuiltIndex& index, const Question& question, MeasuredComments& random,
                    Keeping keeping, PlaceTimes& times) {
  lmdb::ReadTransaction txn(index.environment());
  auto begun = AnyClock::now();
  auto reader = index.reader(txn);
  Matches matches(reader, question, keeping);
  auto total = co_await matches.total();
  auto n = total == 0 ? 0 : random.below(total);
  auto found = co_await matches.nth(n);
  times.nth.add(begun);
  if (!found) co_return Done{};
  begun = AnyClock::now();
  auto page = co_await matches.read(found, false, 20);
  times.page.add(begun);
  auto again = index.reader(txn);
  Matches others(again, question, keeping);
  begun = AnyClock::now();
  auto rank = co_await others.rank(*found);
  times.rank.add(begun);
  expect(rank == n && page.size() == std::min<std::uint64_t>(20, total - n - 1));
  co_return Done{};
}

}  // namespace

std::string measure_one_value(BuiltIndex& index, std::uint64_t samples) {
  MeasuredComments random(index.comments());
  PlaceTimes times;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const auto& facet = measured_facets[random.below(votes)];
    auto code = value_at(facet, random.skewed(facet)).code;
    wait(ask<Clock>(index, {{{{.facet = facet.number, .any_of = {code}}}}}, random, {}, times));
  }
  return fmt::format(R"("oneValue":{})", times.json());
}

std::string measure_filters(BuiltIndex& index, std::uint64_t filters) {
  MeasuredComments random(index.comments());
  KeptTotals kept(kept_bytes);
  std::vector<Question> questions;
  for (std::uint64_t i = 0; i < filters; ++i)
    questions.push_back({random_filter(random, 2 + random.below(4))});
  PlaceTimes first, again, later;
  Times told;
  for (const auto& question : questions)
    wait(ask<ThreadClock>(index, question, random, {&kept, 1}, first));
  for (const auto& question : questions)
    wait(ask<Clock>(index, question, random, {&kept, 1}, again));
  // A vote more, as far as the totals can see.
  auto values = random.next_values();
  auto begun = Clock::now();
  kept.changed(index.databases(), 1, 1, 2, {{random.next_id(), values, values}});
  told.add(begun);
  for (const auto& question : questions)
    wait(ask<Clock>(index, question, random, {&kept, 2}, later));
  auto statistics = kept.statistics();
  return fmt::format(
      R"("filters":{},"kept":{},"keptAfterACommit":{},"telling":{},"bytesAFilter":{})",
      first.json(), again.json(), later.json(), told.json(),
      statistics.bytes / std::max<std::uint64_t>(statistics.entries, 1));
}

std::string measure_votes(BuiltIndex& index, std::uint64_t samples) {
  MeasuredComments random(index.comments());
  KeptTotals kept(kept_bytes);
  auto by_votes = [](Selection selection) {
    return Question{std::move(selection), Sort::highest, measured_facets[votes].number};
  };
  PlaceTimes all, filtered, again;
  for (std::uint64_t i = 0; i < samples; ++i)
    wait(ask<ThreadClock>(index, by_votes({}), random, {}, all));
  std::vector<Question> questions;
  for (std::uint64_t i = 0; i < samples / 4; ++i)
    questions.push_back(by_votes(random_filter(random, 2)));
  for (const auto& question : questions)
    wait(ask<ThreadClock>(index, question, random, {&kept, 1}, filtered));
  for (const auto& question : questions)
    wait(ask<Clock>(index, question, random, {&kept, 1}, again));
  return fmt::format(R"("votes":{},"votesFiltered":{},"votesFilteredAgain":{})", all.json(),
                     filtered.json(), again.json());
}

}  // namespace quire::bench
