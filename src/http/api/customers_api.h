// The JSON interface of customers: their own comments, invitations, and what is kept of them.
#pragma once

#include <optional>

#include "http/access/audit_log.h"
#include "http/message.h"
#include "http/site.h"
#include "identity/customers.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

inline constexpr std::size_t max_invitations = 1'000;  // of one request

// Handlers of routes. Thread-safe.
class CustomersApi {
 public:
  // `comments` and `site` must outlive this; so must `audit`, which may be null. `key` absent: the
  // store knows no customers.
  CustomersApi(Comments& comments, const Site& site, AuditLog* audit,
               const std::optional<identity::CustomerKey>& key);

  Awaitable<Response> own(const Request& request);
  Awaitable<Response> invite(const Request& request);
  // What is kept of a customer: comments, reports and votes.
  Awaitable<Response> export_kept(const Request& request);
  // Erases what is kept of a customer, and answers a receipt.
  Awaitable<Response> erase(const Request& request);

 private:
  Comments& comments_;
  const Site& site_;
  AuditLog* const audit_;
  const std::optional<identity::CustomerKey> key_;
  std::optional<identity::Tickets> tickets_;  // where there is a key
};

}  // namespace quire::http
