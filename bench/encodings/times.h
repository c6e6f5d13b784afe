// The time of work that is repeated.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

namespace quire::bench {

// Microseconds of the processor's time.
template <class Work>
double time_of(Work work) {
  auto begun = std::clock();
  work();
  return static_cast<double>(std::clock() - begun) * 1e6 / CLOCKS_PER_SEC;
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values.at(values.size() / 2);
}

}  // namespace quire::bench
