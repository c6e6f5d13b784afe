// What the bitmap index costs within one process. bench/run index calls this, and reads the
// results.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "commands.h"

int main(int argc, char** argv) try {
  using namespace quire::bench;
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 3 && words.size() != 4) {
    fmt::print(stderr, "quire_index DIRECTORY COMMENTS SAMPLES [filters|counts]\n");
    return 2;
  }
  BuiltIndex index(words[0], std::stoull(words[1]));
  auto samples = std::stoull(words[2]);
  if (words.size() == 4) {
    bool counts = words[3] == "counts";
    fmt::print("{{{}}}\n", (counts ? measure_counts : measure_filters)(index, samples));
    return 0;
  }
  auto comments = static_cast<double>(index.comments());
  auto a_second = index.seconds() > 0 ? comments / index.seconds() : 0;
  fmt::print(R"({{"comments":{},"builtPerSecond":{:.0f},"bytes":{:.2f},)", index.comments(),
             a_second, index.bytes_a_comment());
  fmt::print("{},{},", measure_one_value(index, 10 * samples), measure_filters(index, samples));
  fmt::print("{},{}}}\n", measure_counts(index, samples / 10), measure_votes(index, samples));
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
