// What became of messages, for metrics.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace quire::webhook {

// Of a webhook, since its courier began.
struct Deliveries {
  std::string name;
  std::uint64_t delivered = 0;
  std::uint64_t failed = 0;    // tries
  std::uint64_t given_up = 0;  // events whose last try failed
  std::uint64_t ended = 0;     // 410s
  double oldest_seconds = 0;   // the age of the oldest event that is owed; 0: none is
};

// By name. Thread-safe.
using DeliveriesNow = std::function<std::vector<Deliveries>()>;

}  // namespace quire::webhook
