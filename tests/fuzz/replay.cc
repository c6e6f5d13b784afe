// Runs a fuzz target without a fuzzer: on the given files, and on mutations of them, which are the
// same every time. Usage: fuzz_NAME [-runs=N] FILE|DIRECTORY…
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz.h"

namespace {

constexpr unsigned max_seconds = 120;  // for one input, on a busy machine
constexpr std::size_t max_size = 1 << 16;

std::string input;
std::string crasher;  // the file that keeps an input which breaks the target

// Runs when the process ends.
void keep_input() {
  std::ofstream(crasher, std::ios::binary) << input;
  std::fprintf(stderr, "The input is kept in %s\n", crasher.c_str());
}

void run(std::string bytes) {
  input = std::move(bytes);
  alarm(max_seconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::vector<std::string> read(const std::vector<std::string>& names) {
  namespace files = std::filesystem;
  std::vector<std::string> paths, contents;
  for (const auto& name : names) {
    if (!files::is_directory(name)) paths.push_back(name);
    for (const auto& entry :
         files::is_directory(name) ? files::directory_iterator(name) : files::directory_iterator())
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return contents;
}

// Makes a few small mutations, and sometimes inserts a piece of another file.
std::string mutated(std::string text, const std::vector<std::string>& others,
                    std::mt19937& random) {
  auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t left = 1 + below(4); left > 0; --left) {
    auto at = below(text.size() + 1);
    const auto& other = others[below(others.size())];
    switch (below(6)) {
      case 0:
        text.erase(at, 1 + below(8));
        break;
      case 1:
        text.insert(at, std::string(text, at, 1 + below(32)));
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(random()));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ 1 << below(8));
        break;
      case 4:
        if (at < text.size()) text[at] = "\0\xff\"{}[]:,09-"[below(12)];
        break;
      default:
        text.replace(at, below(16), std::string(other, below(other.size()), 1 + below(32)));
    }
  }
  return text.substr(0, max_size);
}

}  // namespace

// An abort calls keep_input() too.
extern "C" const char* __asan_default_options() {
  return "handle_abort=1:detect_stack_use_after_return=1";
}

int main(int argc, char** argv) {
  std::size_t runs = 0;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.starts_with("-runs=")) {
      runs = std::stoul(argument.substr(6));
    } else {
      names.push_back(argument);
    }
  }
  crasher = std::string(argv[0]) + ".crasher";
  __sanitizer_set_death_callback(keep_input);
  std::signal(SIGALRM, [](int) { std::abort(); });
  auto seeds = read(names);
  if (seeds.empty()) return 1;
  for (const auto& seed : seeds) run(seed);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < runs; ++i) run(mutated(seeds[i % seeds.size()], seeds, random));
  alarm(0);
  std::printf("%zu files and %zu mutations of them\n", seeds.size(), runs);
}
