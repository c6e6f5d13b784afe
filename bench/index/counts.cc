// The counts of all facets, each under the others.
#include "bitmap_index/reading/counts.h"

#include <fmt/format.h>

#include "commands.h"
#include "filters.h"
#include "loop/loop.h"
#include "times.h"

namespace quire::bench {

std::string measure_counts(BuiltIndex& index, std::uint64_t samples) {
  using namespace bitmap_index;
  MeasuredComments random(index.comments());
  std::vector<CountedFacet> facets;
  for (std::size_t i = 0; i <= votes; ++i)
    facets.push_back({measured_facets[i].number, measured_facets[i].type, i != votes});
  std::string json;
  for (std::size_t filtered : {0, 1, 3, 5}) {
    Times times;
    for (std::uint64_t i = 0; i < samples; ++i) {
      auto selection = random_filter(random, filtered);
      lmdb::ReadTransaction txn(index.environment());
      auto begun = ThreadClock::now();
      auto reader = index.reader(txn);
      Work work;
      auto counts = wait(count_values(reader, selection, facets, Under::other_facets, work));
      times.add(begun);
      expect(counts.size() == facets.size());
    }
    json += fmt::format(R"({}"{}":{})", json.empty() ? "" : ",", filtered, times.json());
  }
  return fmt::format(R"("counts":{{{}}})", json);
}

}  // namespace quire::bench
