// What words cost, within one process. bench/run words calls this, and reads the results.
#include <fmt/core.h>

#include <exception>
#include <string>
#include <vector>

#include "measuring.h"

int main(int argc, char** argv) try {
  using namespace quire::bench;
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "ask")
    ask(words[1], std::stoi(words[2]));
  else if (words.size() == 2 && words[0] == "terms")
    make_terms(words[1]);
  else if (words.size() == 2 && words[0] == "merge")
    merge(words[1]);
  else if (words.size() == 4 && words[0] == "post")
    post(words[1], std::stoull(words[2]), std::stoull(words[3]));
  else {
    fmt::print(stderr,
               "quire_words_bench ask STORE ROUNDS < QUESTIONS\n"
               "quire_words_bench terms STORE\n"
               "quire_words_bench merge STORE\n"
               "quire_words_bench post STORE POSTS GROUP\n");
    return 2;
  }
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
