// Fills a page index with generated comments that need be in no table, in steps of a
// thousand, as a worker does. bench/run projection calls this, and reads the results.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include "app/projection.h"
#include "base/clock.h"
#include "cli/generator/generator.h"
#include "loop/loop.h"
#include "must.h"

namespace quire::bench {
namespace {

using change::Change;
using change::Mark;
using Clock = std::chrono::steady_clock;

constexpr std::size_t step_changes = 1000;
constexpr std::uint64_t day_ms = 24 * 3'600'000;

// The comments of `quire generate --products 1 --seed 1`, oldest first.
std::vector<Change> changes_of(std::uint64_t comments) {
  cli::Generator generator({.comments = comments, .products = 1, .seed = 1});
  std::vector<Change> changes;
  while (auto comment = generator.next()) {
    changes.push_back({.product = comment->product,
                       .id = comment->id,
                       .to = cell(comment->language, comment->rating)});
  }
  return changes;
}

// Returns the seconds it takes. The mark says that everything up to a future day is applied, so the
// index numbers pages without a worker; `stream` is that of the table whose pages it numbers.
double fill(change::Target& index, const std::string& stream, const std::vector<Change>& changes) {
  const std::string epoch = "bench", shard = "all";
  Mark mark{.read_to = "0", .as_of_ms = system_ms() + day_ms};
  must(wait(index.reset({change::Phase::following, epoch, stream, {{shard, mark}}})));
  auto begun = Clock::now();
  for (std::size_t made = 0; made < changes.size();) {
    auto end = std::min(made + step_changes, changes.size());
    Mark after{.read_to = std::to_string(end), .as_of_ms = mark.as_of_ms};
    std::vector<Change> part(changes.begin() + static_cast<std::ptrdiff_t>(made),
                             changes.begin() + static_cast<std::ptrdiff_t>(end));
    if (!must(wait(index.apply({epoch, shard, mark, after, std::move(part)}))))
      throw std::runtime_error("another program changes this page index");
    mark = after;
    made = end;
  }
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

}  // namespace
}  // namespace quire::bench

int main(int argc, char** argv) try {
  using namespace quire;
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 3) {
    fmt::print(stderr, "quire_pages STORE PAGES COMMENTS\n");
    return 2;
  }
  auto changes = bench::changes_of(std::stoull(words[2]));
  auto table = bench::must(OpenProjection::open_followed(words[0], words[1]));
  auto stream = bench::must(wait(table->source().stream())).arn;
  fmt::print("{{\"seconds\":{:.3f}}}\n",
             bench::fill(*table->followed().back().target, stream, changes));
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
