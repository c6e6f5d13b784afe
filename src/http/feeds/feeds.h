// The documents for programs: the Atom feeds of a product and of all, the sitemap and robots.txt.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "desk/desk.h"
#include "http/html/html.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "http/parameters.h"
#include "http/site.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

inline const Names feed_parameters = {"language", "rating", "q", "ui"};
inline const Names all_feed_parameters = {"token", "language", "rating", "q", "ui"};
inline const Names sitemap_parameters = {"after"};

// Handlers of routes. Thread-safe.
class Feeds {
 public:
  // All must outlive this.
  Feeds(Comments& comments, desk::Desk& desk, Metrics& metrics, const Site& site, const Html& html)
      : comments_(comments), desk_(desk), metrics_(metrics), site_(site), html_(html) {}

  Awaitable<Response> feed(const Request& request);
  // Of all products.
  Awaitable<Response> all(const Request& request);
  Awaitable<Response> sitemap(const Request& request);
  Awaitable<Response> robots(const Request& request);

 private:
  using SitemapParts = std::shared_ptr<const std::vector<std::string>>;
  // For each part of the sitemap, the last product before it. Kept for a minute, because the server
  // reads all products for it, and clients may ask at any rate.
  Awaitable<Result<SitemapParts>> sitemap_parts();

  Comments& comments_;
  desk::Desk& desk_;
  Metrics& metrics_;
  const Site& site_;
  const Html& html_;
  std::mutex sitemap_mutex_;
  SitemapParts sitemap_parts_;  // guarded by sitemap_mutex_, as is the next
  std::chrono::steady_clock::time_point sitemap_until_;
};

}  // namespace quire::http
