#include "dynamodb/retry.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamodb/item.h"

namespace quire::dynamodb {

namespace {

struct KnownError {
  std::string_view name;
  FailureKind kind;
};
constexpr KnownError table[] = {
    {"ProvisionedThroughputExceededException", FailureKind::throttled},
    {"ThrottlingException", FailureKind::throttled},
    {"RequestLimitExceeded", FailureKind::throttled},
    {"LimitExceededException",
     FailureKind::throttled},  // of a stream: too many readers of one shard
    {"InternalServerError", FailureKind::transient},
    {"InternalFailure", FailureKind::transient},
    {"ServiceUnavailable", FailureKind::transient},
    {"TransactionInProgressException", FailureKind::conflict},
    {"TransactionConflictException", FailureKind::conflict},
    {"ConditionalCheckFailedException", FailureKind::condition},
    {"ExpiredTokenException", FailureKind::credentials},
    {"ExpiredToken", FailureKind::credentials},
    {"UnrecognizedClientException", FailureKind::credentials},
    {"InvalidSignatureException", FailureKind::clock},
    {"RequestExpired", FailureKind::clock},
    {"RequestInTheFuture", FailureKind::clock},
    {"RequestTimeTooSkewed", FailureKind::clock},
    {"ResourceNotFoundException", FailureKind::missing},
};

// The reasons of a cancelled transaction: their names lack the word Exception.
constexpr KnownError reasons[] = {
    {"TransactionConflict", FailureKind::conflict},
    {"ProvisionedThroughputExceeded", FailureKind::throttled},
    {"ThrottlingError", FailureKind::throttled},
    {"ConditionalCheckFailed", FailureKind::condition},
};

template <std::size_t Size>
FailureKind kind_in(const KnownError (&known)[Size], std::string_view name, FailureKind otherwise) {
  auto at = std::find_if(std::begin(known), std::end(known),
                         [&](const KnownError& each) { return each.name == name; });
  return at == std::end(known) ? otherwise : at->kind;
}

FailureKind kind_of(unsigned status) {
  if (status == 429) return FailureKind::throttled;
  if (status == 500 || status == 502 || status == 503 || status == 504)
    return FailureKind::transient;
  return FailureKind::permanent;
}

// A transaction is worth another try only if all reasons are conflicts or throttling.
FailureKind kind_of(const std::vector<std::string>& given) {
  FailureKind worst = FailureKind::permanent;
  for (const auto& reason : given) {
    if (reason == "None") continue;
    FailureKind kind = kind_in(reasons, reason, FailureKind::permanent);
    if (kind == FailureKind::permanent || kind == FailureKind::condition) return kind;
    if (worst != FailureKind::throttled) worst = kind;
  }
  return worst;
}

constexpr int transient_tokens = 14;
constexpr int throttled_tokens = 5;
constexpr double transient_base_ms = 25;
constexpr double throttled_base_ms = 1000;
constexpr double max_pause_ms = 20'000;

bool slow(FailureKind kind) {
  return kind == FailureKind::throttled;
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
  // "Cannot read from backfilling global secondary index: byLang"
  if (failure.name == "ValidationException" &&
      failure.message.find("backfilling") != std::string::npos)
    failure.kind = FailureKind::filling;
  if (failure.name != "TransactionCanceledException") return failure;
  if (auto* given = array_in(*answer, "CancellationReasons")) {
    for (const auto& reason : *given)
      failure.reasons.push_back(reason.is_object() ? text_in(reason.get_object(), "Code") : "");
  }
  failure.kind = kind_of(failure.reasons);
  return failure;
}

Failure broken(std::string message) {
  return {FailureKind::transient, {}, std::move(message)};
}

bool RetryBudget::spend(int tokens) {
  if (left_ < tokens) return false;
  left_ -= tokens;
  return true;
}

void RetryBudget::give_back(int tokens) {
  left_ = std::min(full, left_ + tokens);
}

bool Tries::worth(FailureKind kind) {
  switch (kind) {
    case FailureKind::transient:
      return repeat_ == Repeat::safe;
    case FailureKind::throttled:
    case FailureKind::conflict:
      return true;
    case FailureKind::credentials:
    case FailureKind::clock:
      return !std::exchange(renewed_, true);
    case FailureKind::condition:
    case FailureKind::missing:
    case FailureKind::filling:
    case FailureKind::permanent:
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
