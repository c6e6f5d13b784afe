// What the page index costs within one process. bench/run ranks calls this, and reads the results.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "commands.h"
#include "ids.h"

namespace quire::bench {

void print_ids(std::uint64_t count) {
  Ids ids(count);
  for (std::uint64_t i = 0; i < count; ++i) fmt::print("1\t{}\n", ids.next().text());
}

}  // namespace quire::bench

int main(int argc, char** argv) try {
  using namespace quire::bench;
  std::vector<std::string> words(argv + 1, argv + argc);
  auto number = [&](std::size_t at) { return std::stoull(words[at]); };
  if (words.size() == 2 && words[0] == "ids") {
    print_ids(number(1));
  } else if (words.size() == 5 && words[0] == "set") {
    measure_set(words[1], {number(2), static_cast<std::uint32_t>(number(3)), number(4)});
  } else if (words.size() == 3 && words[0] == "insert") {
    measure_inserts(words[1], number(2));
  } else if (words.size() == 4 && words[0] == "votes") {
    measure_votes(words[1], number(2), number(3));
  } else {
    fmt::print(stderr,
               "quire_ranks ids COUNT | set DIRECTORY MEMBERS VALUES SAMPLES | insert STORE "
               "COMMENTS | votes STORE VOTES CROWD\n");
    return 2;
  }
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
