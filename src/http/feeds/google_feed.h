// Google's feed of product reviews, which the server makes where the shop file says so.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "google/feed_files.h"
#include "http/html/html.h"
#include "http/message.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// Makes the feed on a thread of its own, one at a time, at most once an hour, and keeps it as files
// without names until the next one is there. Handlers of routes. Thread-safe.
class GoogleFeed {
 public:
  static constexpr std::chrono::hours kept{1};
  static constexpr std::chrono::minutes after_failure{1};
  static constexpr std::chrono::seconds max_wait{30};  // of a request, for a feed under way

  // Both must outlive this.
  GoogleFeed(Comments& comments, const Html& html) : comments_(comments), html_(html) {}
  ~GoogleFeed();

  Awaitable<Response> xml(const Request& request);
  Awaitable<Response> zip(const Request& request);

 private:
  struct Made {
    std::unique_ptr<google::FeedFiles> files;
    std::string tag;
  };
  using Feed = std::shared_ptr<const Made>;

  // The feed of the last hour; after max_wait the one before, or null.
  Awaitable<Feed> fresh();
  bool begin();
  void make(const std::stop_token& stop);
  Result<Feed> made(const std::stop_token& stop);
  Feed present() const;
  bool is_making() const;
  Awaitable<Response> answer(bool zip);

  Comments& comments_;
  const Html& html_;
  mutable std::mutex mutex_;  // guards the next four
  Feed feed_;                 // null: none was made yet
  bool making_ = false;
  std::optional<std::chrono::steady_clock::time_point> next_;  // not made again before; absent: now
  std::jthread maker_;
};

}  // namespace quire::http
