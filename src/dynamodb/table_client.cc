#include "dynamodb/table_client.h"

#include <spdlog/spdlog.h>
#include <zlib.h>

#include <ctime>

#include "base/log.h"
#include "base/text.h"
#include "base/try.h"

namespace quire::dynamodb {
namespace {

using Clock = std::chrono::steady_clock;

// Not every server sends one.
bool checksum_fits(const HttpResponse& response) {
  auto told = response.header("x-amz-crc32");
  if (told.empty()) return true;
  auto sum = crc32(0, reinterpret_cast<const Bytef*>(response.body.data()),
                   static_cast<uInt>(response.body.size()));
  return told == std::to_string(sum);
}

// Retry-After has seconds, and x-amz-retry-after milliseconds.
std::optional<Milliseconds> asked_wait(const HttpResponse& response) {
  std::string asked(response.header("x-amz-retry-after"));
  if (asked.empty() && !response.header("retry-after").empty())
    asked = std::string(response.header("retry-after")) + "000";
  auto ms = parse_integer<long long>(asked);
  if (!ms || *ms < 0) return {};
  return Milliseconds(*ms);
}

void log(const Failure& failure) {
  static LineASecond lines;
  if (auto before = lines.next())
    spdlog::warn("table: {} ({} more before)", in_one_line(failure.name + " " + failure.message),
                 *before);
}

}  // namespace

void ClientMetrics::add_consumed(double units) {
  for (double before = consumed; !consumed.compare_exchange_weak(before, before + units);) {
  }
}

Error error_of(const Failure& failure) {
  log(failure);
  auto unavailable = [](std::string message) {
    return Error{ErrorCode::unavailable, std::move(message)};
  };
  switch (failure.kind) {
    case FailureKind::throttled:
      return unavailable(
          "The table throttles requests: there are more than its capacity. Try again in a moment.");
    case FailureKind::conflict:
      return unavailable("Other writes to the same product got in the way. Try again in a moment.");
    case FailureKind::credentials:
      if (failure.name.empty()) return unavailable(failure.message);
      return unavailable(
          "The table does not accept this service's credentials. Check them, and what they permit "
          "on the table.");
    case FailureKind::clock:
      return unavailable(
          "The table refuses this service's signature: look at its secret key and "
          "at this machine's clock.");
    case FailureKind::missing:
      return unavailable("The table or one of its indexes is not there: see quire table create.");
    case FailureKind::filling:
      return unavailable(
          "The table is filling the index from which this is read. It comes when that is full: see "
          "quire table describe.");
    case FailureKind::permanent:
      return unavailable("The table refuses the request" +
                         (failure.name.empty() ? "" : " (" + failure.name + ")") +
                         ". See the log, and quire table describe.");
    case FailureKind::transient:
    case FailureKind::condition:
      break;
  }
  return unavailable("The table does not answer now. Try again in a moment.");
}

Awaitable<Answer> TableClient::send(Call call, std::string_view target) {
  ++metrics_.requests;
  Deadline deadline = Clock::now() + request_timeout;
  Tries tries(budget_, call.repeat, surroundings_.chance);
  Answer answer;
  for (std::string key;;) {
    std::optional<Milliseconds> asked;
    auto until = call.slow ? deadline : std::min(deadline, Clock::now() + try_timeout);
    auto outcome = co_await attempt(call, target, until, key, asked);
    if (auto* body = std::get_if<std::string>(&outcome)) {
      tries.succeeded();
      answer.body = std::move(*body);
      answer.failure.reset();
      co_return answer;
    }
    answer.failure = std::get<Failure>(std::move(outcome));
    FailureKind kind = answer.failure->kind;
    answer.unclear |= kind == FailureKind::transient;
    if (kind == FailureKind::throttled) ++metrics_.throttled;
    bool none_to_renew = kind == FailureKind::credentials && answer.failure->name.empty();
    if (none_to_renew) break;
    auto left = std::chrono::duration_cast<Milliseconds>(deadline - Clock::now());
    auto wait = tries.next(*answer.failure, left, asked);
    if (!wait) break;
    ++metrics_.retries;
    if (kind != FailureKind::credentials) key.clear();
    co_await surroundings_.sleep(*wait);
  }
  bool refused = answer.failure->kind == FailureKind::condition ||
                 answer.failure->kind == FailureKind::conflict;
  if (!refused) ++metrics_.failed;
  co_return answer;
}

Awaitable<std::variant<std::string, Failure>> TableClient::attempt(
    const Call& call, std::string_view target, Deadline deadline, std::string& key,
    std::optional<Milliseconds>& asked) {
  auto credentials = co_await surroundings_.credentials(key);
  if (!credentials) co_return Failure{FailureKind::credentials, "", credentials.error().message};
  key = credentials->access_key;
  HttpRequest request;
  request.headers = {{"host", address_.endpoint.authority()},
                     {"content-type", "application/x-amz-json-1.0"},
                     {"x-amz-target", std::string(target) + "." + call.operation}};
  request.body = call.body;
  auto now = static_cast<std::int64_t>(surroundings_.now_ms()) + clock_offset_ms_;
  sign(request, *credentials, {address_.region}, static_cast<std::uint64_t>(now));
  auto response = co_await surroundings_.exchange(std::move(request), deadline);
  if (!response) co_return broken(response.error().message);
  if (!checksum_fits(*response)) co_return broken("the answer's checksum is wrong");
  if (response->status / 100 == 2) {
    // Not every server sends a checksum. A body that was cut off lacks its end.
    if (!response->body.ends_with('}')) co_return broken("the answer is not whole");
    co_return std::move(response->body);
  }
  asked = asked_wait(*response);
  Failure failure = classify(response->status, response->body);
  if (failure.kind == FailureKind::clock) correct_clock(std::string(response->header("date")));
  co_return failure;
}

Awaitable<Result<ItemAnswer>> TableClient::get(Item key) {
  Answer answer = co_await send(get_item(table(), key));
  if (answer.failure) co_return error_of(*answer.failure);
  auto found = decode_get(answer.body);
  if (!found) co_return error_of(broken("the answer to a look-up is damaged"));
  metrics_.add_consumed(found->consumed);
  co_return std::move(*found);
}

Awaitable<Result<PageAnswer>> TableClient::page(Call call) {
  Answer answer = co_await send(std::move(call));
  if (answer.failure) co_return error_of(*answer.failure);
  auto page = decode_page(answer.body);
  if (!page) co_return error_of(broken("the answer to a query is damaged"));
  metrics_.add_consumed(page->consumed);
  co_return std::move(*page);
}

Awaitable<Result<PageAnswer>> TableClient::all(QueryArguments arguments, std::string endless) {
  PageAnswer all;
  for (int pages = 0; pages < max_pages; ++pages) {
    CO_TRY(auto some, co_await page(query(arguments)));
    std::move(some.items.begin(), some.items.end(), std::back_inserter(all.items));
    all.consumed += some.consumed;
    if (!some.last) co_return all;
    arguments.start = std::move(some.last);
  }
  co_return error_of(broken(std::move(endless)));
}

Awaitable<Result<bool>> TableClient::make(Call write) {
  Answer answer = co_await send(std::move(write));
  if (!answer.failure) co_return true;
  if (answer.failure->kind == FailureKind::condition) co_return false;
  co_return error_of(*answer.failure);
}

Awaitable<void> TableClient::pause(int round) {
  return pause_up_to(Milliseconds(10 << std::min(round, 6)));
}

Awaitable<void> TableClient::pause_up_to(Milliseconds longest) {
  auto part = surroundings_.chance() * static_cast<double>(longest.count());
  co_await surroundings_.sleep(Milliseconds(static_cast<Milliseconds::rep>(part)));
}

// "Tue, 20 Nov 2024 12:01:00 GMT"
void TableClient::correct_clock(const std::string& date) {
  std::tm parts{};
  const char* end = strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S", &parts);
  if (!end) return;
  auto theirs = static_cast<std::int64_t>(timegm(&parts)) * 1000;
  clock_offset_ms_ = theirs - static_cast<std::int64_t>(surroundings_.now_ms());
}

}  // namespace quire::dynamodb
