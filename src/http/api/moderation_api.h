// The JSON interface of moderators: the queue, decisions, and reports from anyone.
#pragma once

#include <array>
#include <boost/json/value.hpp>

#include <string>
#include <vector>

#include "http/access/audit_log.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "loop/awaitable.h"
#include "service/comments.h"
#include "shop/shop_file.h"

namespace quire::http {

inline constexpr std::size_t max_decisions = 100;  // of one request

// A comment with its whole moderation, its ETag and its reports, as JSON.
std::string queued_json(const Comment& comment, const std::vector<Report>& reports);

// Handlers of routes. Thread-safe.
class ModerationApi {
 public:
  // All must outlive this; `audit` and `shop` may be null.
  ModerationApi(Comments& comments, Metrics& metrics, AuditLog* audit, const shop::ShopFile* shop)
      : comments_(comments),
        metrics_(metrics),
        audit_(audit),
        shop_(shop),
        person_key_(comments.derived_key("reports")) {}

  Awaitable<Response> queue(const Request& request);
  Awaitable<Response> decide(const Request& request);
  Awaitable<Response> report(const Request& request);

 private:
  std::array<std::uint8_t, 16> network_of(const Request& request) const;
  // The decision in an element of `decisions`.
  struct Decision {
    Ulid id;
    Patch patch;
    Condition condition;
  };

  static Result<Decision> decision_of(const boost::json::value& value);
  Awaitable<std::string> make(const Request& request, const boost::json::value& value,
                              Result<Decision> decision);

  Comments& comments_;
  Metrics& metrics_;
  AuditLog* audit_;
  const shop::ShopFile* shop_;
  const Seal::Key person_key_;
};

}  // namespace quire::http
