#include "dynamodb/errors.h"

#include <algorithm>
#include <boost/json.hpp>

#include "dynamodb/json.h"

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

}  // namespace quire::dynamodb
