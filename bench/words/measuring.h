// What the program does: each function takes the directory of a store, and prints JSON.
#pragma once

#include <ctime>
#include <string>

namespace quire::bench {

// Microseconds of the processor that the calling thread has taken: other processes do not lengthen
// them.
inline double cpu_micros() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// Answers the questions of standard input, a line each: its words, and after a tab "facets" where
// four or five stars and a proof of purchase are asked for, too. A line has no words, or both.
void ask(const std::string& directory, int rounds);

// Makes the terms of all comments.
void make_terms(const std::string& directory);

// Merges and renumbers all segments that are due, as beside a server.
void merge(const std::string& directory);

// Posts comments like those that the store has, `group` in a transaction, as the writer's thread
// does, without a sync.
void post(const std::string& directory, std::size_t posts, std::size_t group);

}  // namespace quire::bench
