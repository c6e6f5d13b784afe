// The JSON interface to comments and facets, and its description in OpenAPI.
#pragma once

#include <boost/beast/http/fields.hpp>

#include <string>
#include <vector>

#include "http/access/audit_log.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "loop/awaitable.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

// The tags in all If-Match headers, with their quotes, and weak ones with W/. The tag of a
// compressed body is that of its content, because any representation of a comment names its state.
// Empty if there is no such header, or it allows any state. invalid_parameter: the header is no
// list of tags.
Result<std::vector<std::string>> if_match(const boost::beast::http::fields& headers);

// The handler of a route. Thread-safe.
class FacetsApi {
 public:
  explicit FacetsApi(Comments& comments) : comments_(comments) {}

  Awaitable<Response> list(const Request& request);

 private:
  Comments& comments_;
};

// The handler of /openapi.json.
Awaitable<Response> openapi(const Request& request);

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
