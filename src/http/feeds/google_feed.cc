#include "http/feeds/google_feed.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "google/feed.h"
#include "http/problem.h"
#include "loop/loop.h"

namespace quire::http {
namespace {

constexpr Milliseconds between_looks{50};
constexpr int niceness = 10;  // of the thread, which leaves the processor to requests

}  // namespace

GoogleFeed::~GoogleFeed() {
  maker_.request_stop();
}

GoogleFeed::Feed GoogleFeed::present() const {
  std::lock_guard lock(mutex_);
  return feed_;
}

bool GoogleFeed::is_making() const {
  std::lock_guard lock(mutex_);
  return making_;
}

// Whether a feed is under way now, perhaps since before.
bool GoogleFeed::begin() {
  std::lock_guard lock(mutex_);
  auto now = std::chrono::steady_clock::now();
  if (making_) return true;
  if (next_ && now < *next_) return false;
  next_ = now + kept;
  making_ = true;
  // The thread before has ended, but for its last steps.
  maker_ = std::jthread([this](const std::stop_token& stop) { make(stop); });
  return true;
}

void GoogleFeed::make(const std::stop_token& stop) {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
  Result<Feed> feed = Feed();
  try {
    feed = made(stop);
  } catch (const std::exception& failure) {
    feed = Error{ErrorCode::unavailable, failure.what()};
  }
  std::lock_guard lock(mutex_);
  making_ = false;
  if (feed) {
    feed_ = std::move(*feed);
    return;
  }
  next_ = std::chrono::steady_clock::now() + after_failure;
  if (!stop.stop_requested()) spdlog::error("Google's feed was not made: {}", feed.error().message);
}

Result<GoogleFeed::Feed> GoogleFeed::made(const std::stop_token& stop) {
  auto shop = html_.face()->shop();
  auto directory = comments_.store().sorting_directory();
  auto files = google::FeedFiles::in(directory.empty() ? temporary_directory() : directory,
                                     google::publisher_of(shop ? shop->name : ""));
  if (!files) return files.error();
  auto counts = wait(google::write_feed(comments_.store(), shop ? shop->product_url : "", **files,
                                        [&stop] { return stop.stop_requested(); }));
  if (!counts) return counts.error();
  spdlog::info(
      "Google's feed has {} reviews in {} files; left out: {} ratings without a text, {} of "
      "products without a url, {} damaged",
      counts->reviews, (*files)->files(), counts->without_text, counts->without_url,
      counts->damaged);
  auto tag = fmt::format("\"{:016x}\"", long_hash((*files)->zip()));
  return std::make_shared<const Made>(Made{std::move(*files), std::move(tag)});
}

Awaitable<GoogleFeed::Feed> GoogleFeed::fresh() {
  auto until = std::chrono::steady_clock::now() + max_wait;
  if (begin())
    while (is_making() && std::chrono::steady_clock::now() < until) co_await pause(between_looks);
  co_return present();
}

Awaitable<Response> GoogleFeed::answer(bool zip) {
  auto shop = html_.face()->shop();
  if (!shop || !shop->google_feed)
    co_return problem("not-found", "This shop offers no feed for Google: [feeds] google = true.");
  auto feed = co_await fresh();
  if (!feed) co_return unavailable("The feed is not made yet. Try again later.", 60);
  const auto& files = *feed->files;
  if (!zip && files.files() > 1)
    co_return problem(
        "not-found",
        fmt::format("The feed has {} files. They are in google-reviews.zip.", files.files()));
  Response response{.type = zip ? "application/zip" : "application/xml; charset=utf-8",
                    .shared = zip ? files.zip() : files.xml(),
                    .mapped = true,
                    .caching = Caching::revalidate,
                    .tag = feed->tag};
  response.owner = std::move(feed);
  co_return response;
}

Awaitable<Response> GoogleFeed::xml(const Request&) {
  return answer(false);
}

Awaitable<Response> GoogleFeed::zip(const Request&) {
  return answer(true);
}

}  // namespace quire::http
