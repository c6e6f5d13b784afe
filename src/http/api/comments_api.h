// The JSON interface to comments: the pages of a product, and single comments.
#pragma once

#include "http/access/audit_log.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// Handlers of routes. The request's `captures` have the product or the comment's id. Thread-safe.
class CommentsApi {
 public:
  // All must outlive this. `audit` records changes; null: they are not recorded.
  CommentsApi(Comments& comments, Metrics& metrics, AuditLog* audit)
      : comments_(comments), metrics_(metrics), audit_(audit) {}

  Awaitable<Response> list(const Request& request);
  Awaitable<Response> post(const Request& request);
  Awaitable<Response> get(const Request& request);
  Awaitable<Response> page_number(const Request& request);
  Awaitable<Response> patch(const Request& request);
  Awaitable<Response> remove(const Request& request);

 private:
  // An error if a change could not be recorded; then nothing may be changed.
  Status audit_ready() const;
  // Records a change. `before` and `after` are documents: `before` is empty if the comment was
  // damaged, `after` if it was removed.
  void audit(const Request& request, const Ulid& id, std::string_view before,
             std::string_view after) const;

  Comments& comments_;
  Metrics& metrics_;
  AuditLog* audit_;
};

}  // namespace quire::http
