#include "dynamodb/retry.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamodb/item.h"

namespace quire::dynamodb {

namespace {

struct Row {
  std::string_view name;
  Kind kind;
};
constexpr Row table[] = {
    {"ProvisionedThroughputExceededException", Kind::throttled},
    {"ThrottlingException", Kind::throttled},
    {"RequestLimitExceeded", Kind::throttled},
    {"LimitExceededException", Kind::throttled},  // of a stream: too many readers of one shard
    {"InternalServerError", Kind::transient},
    {"InternalFailure", Kind::transient},
    {"ServiceUnavailable", Kind::transient},
    {"TransactionInProgressException", Kind::conflict},
    {"TransactionConflictException", Kind::conflict},
    {"ConditionalCheckFailedException", Kind::condition},
    {"ExpiredTokenException", Kind::credentials},
    {"ExpiredToken", Kind::credentials},
    {"UnrecognizedClientException", Kind::credentials},
    {"InvalidSignatureException", Kind::clock},
    {"RequestExpired", Kind::clock},
    {"RequestInTheFuture", Kind::clock},
    {"RequestTimeTooSkewed", Kind::clock},
    {"ResourceNotFoundException", Kind::missing},
};

// The reasons of a cancelled transaction: their names lack the word Exception.
constexpr Row reasons[] = {
    {"TransactionConflict", Kind::conflict},
    {"ProvisionedThroughputExceeded", Kind::throttled},
    {"ThrottlingError", Kind::throttled},
    {"ConditionalCheckFailed", Kind::condition},
};

template <std::size_t Size>
Kind kind_in(const Row (&rows)[Size], std::string_view name, Kind otherwise) {
  auto at = std::find_if(std::begin(rows), std::end(rows),
                         [&](const Row& row) { return row.name == name; });
  return at == std::end(rows) ? otherwise : at->kind;
}

Kind kind_of(unsigned status) {
  if (status == 429) return Kind::throttled;
  if (status == 500 || status == 502 || status == 503 || status == 504) return Kind::transient;
  return Kind::permanent;
}

// A transaction is worth another try only if all reasons are conflicts or throttling.
Kind kind_of(const std::vector<std::string>& given) {
  Kind worst = Kind::permanent;
  for (const auto& reason : given) {
    if (reason == "None") continue;
    Kind kind = kind_in(reasons, reason, Kind::permanent);
    if (kind == Kind::permanent || kind == Kind::condition) return kind;
    if (worst != Kind::throttled) worst = kind;
  }
  return worst;
}

constexpr int transient_tokens = 14;
constexpr int throttled_tokens = 5;
constexpr double transient_base_ms = 25;
constexpr double throttled_base_ms = 1000;
constexpr double max_pause_ms = 20'000;

bool slow(Kind kind) {
  return kind == Kind::throttled;
}

}  // namespace

bool Failure::refused(std::size_t action) const {
  return action < reasons.size() && reasons[action] == "ConditionalCheckFailed";
}

Failure classify(unsigned status, std::string_view body) {
  auto answer = parse_object(body);
  if (!answer) return {kind_of(status), {}, "status " + std::to_string(status)};
  Failure failure{kind_of(status), text_in(*answer, "__type"), text_in(*answer, "message")};
  if (failure.message.empty()) failure.message = text_in(*answer, "Message");
  failure.name.erase(0, failure.name.rfind('#') + 1);
  failure.kind = kind_in(table, failure.name, failure.kind);
  if (failure.name != "TransactionCanceledException") return failure;
  if (auto* given = array_in(*answer, "CancellationReasons")) {
    for (const auto& reason : *given)
      failure.reasons.push_back(reason.is_object() ? text_in(reason.get_object(), "Code") : "");
  }
  failure.kind = kind_of(failure.reasons);
  return failure;
}

Failure broken(std::string message) {
  return {Kind::transient, {}, std::move(message)};
}

bool RetryBudget::spend(int tokens) {
  if (left_ < tokens) return false;
  left_ -= tokens;
  return true;
}

void RetryBudget::give_back(int tokens) {
  left_ = std::min(full, left_ + tokens);
}

bool Tries::worth(Kind kind) {
  switch (kind) {
    case Kind::transient:
      return repeat_ == Repeat::safe;
    case Kind::throttled:
    case Kind::conflict:
      return true;
    case Kind::credentials:
    case Kind::clock:
      return !std::exchange(renewed_, true);
    case Kind::condition:
    case Kind::missing:
    case Kind::permanent:
      return false;
  }
  return false;
}

std::optional<Milliseconds> Tries::next(const Failure& failure, Milliseconds left,
                                        std::optional<Milliseconds> asked) {
  if (++failed_ >= max_tries || !worth(failure.kind)) return {};
  int tokens = slow(failure.kind) ? throttled_tokens : transient_tokens;
  double base = slow(failure.kind) ? throttled_base_ms : transient_base_ms;
  double max_ms = std::min(base * std::pow(2, failed_ - 1), max_pause_ms);
  Milliseconds wait(static_cast<Milliseconds::rep>(chance_() * max_ms));
  if (asked) wait = std::max(wait, *asked);
  // A try that would come too late spends no tokens.
  if (wait >= left || !budget_.spend(tokens)) return {};
  spent_ = tokens;
  return wait;
}

void Tries::succeeded() {
  budget_.give_back(std::max(spent_, 1));
}

}  // namespace quire::dynamodb
