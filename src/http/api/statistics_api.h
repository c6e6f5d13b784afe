// The JSON interface to statistics and the leaderboard.
#pragma once

#include "http/message.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// Handlers of routes. Thread-safe.
class StatisticsApi {
 public:
  explicit StatisticsApi(Comments& comments) : comments_(comments) {}

  Awaitable<Response> statistics(const Request& request);
  Awaitable<Response> statistics_of_products(const Request& request);
  Awaitable<Response> leaderboard(const Request& request);

 private:
  Comments& comments_;
};

}  // namespace quire::http
