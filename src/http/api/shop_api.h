// The JSON interface to what the shop says: what it tells of its products, and its replies to
// comments.
#pragma once

#include "http/access/audit_log.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// Handlers of routes. Thread-safe.
class ProductsApi {
 public:
  // All must outlive this; `audit` may be null.
  ProductsApi(Comments& comments, AuditLog* audit) : comments_(comments), audit_(audit) {}

  Awaitable<Response> get(const Request& request);
  Awaitable<Response> put(const Request& request);
  Awaitable<Response> remove(const Request& request);

 private:
  Comments& comments_;
  AuditLog* const audit_;
};

// Handlers of routes. Thread-safe.
class RepliesApi {
 public:
  // All must outlive this; `audit` may be null.
  RepliesApi(Comments& comments, Metrics& metrics, AuditLog* audit)
      : comments_(comments), metrics_(metrics), audit_(audit) {}

  Awaitable<Response> put(const Request& request);
  Awaitable<Response> remove(const Request& request);

 private:
  Awaitable<Result<Edited>> change(const Request& request, std::optional<Reply> reply);

  Comments& comments_;
  Metrics& metrics_;
  AuditLog* const audit_;
};

}  // namespace quire::http
