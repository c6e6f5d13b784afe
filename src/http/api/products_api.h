// The JSON interface to what the shop tells of its products.
#pragma once

#include "http/access/audit_log.h"
#include "http/message.h"
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

}  // namespace quire::http
