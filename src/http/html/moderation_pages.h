// The handlers of /moderation: sign in and out, the queue, and decisions by a form.
#pragma once

#include <string>
#include <string_view>

#include "http/access/audit_log.h"
#include "http/access/permission.h"
#include "http/access/session.h"
#include "http/html/html.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "http/parameters.h"
#include "http/site.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// The parameters of the queue's page.
inline const Names queue_page_parameters = {"status", "product", "after",
                                            "before", "done",    "refused"};

// Handlers of routes. Thread-safe.
class ModerationPages {
 public:
  // All must outlive this; `audit` may be null.
  ModerationPages(Comments& comments, Metrics& metrics, AuditLog* audit, Permission& permission,
                  const Site& site, const Html& html)
      : comments_(comments),
        metrics_(metrics),
        audit_(audit),
        permission_(permission),
        site_(site),
        html_(html),
        sessions_(comments.derived_key("moderation")) {}

  Awaitable<Response> queue(const Request& request);
  Awaitable<Response> sign_in(const Request& request);
  Awaitable<Response> sign_out(const Request& request);
  Awaitable<Response> decide(const Request& request);

 private:
  // The request as the moderator's whose cookie it has. Absent: it has no cookie that is valid.
  std::optional<Request> signed_in(const Request& request) const;
  Response sign_in_page(std::string_view fault, unsigned status = 200) const;
  // For the product of each row the name that the shop tells, else the id.
  Awaitable<Result<std::vector<std::string>>> product_names(const QueuePage& page) const;
  std::string cookie_line(std::string_view value, std::uint64_t seconds) const;
  // Whether the form is of this session.
  bool is_own(const Request& request) const;
  Awaitable<Result<Edited>> make(const Request& request, const struct FormDecision& decision);

  Comments& comments_;
  Metrics& metrics_;
  AuditLog* audit_;
  Permission& permission_;
  const Site& site_;
  const Html& html_;
  const Sessions sessions_;
};

}  // namespace quire::http
