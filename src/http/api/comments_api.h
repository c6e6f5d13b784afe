// The JSON interface to comments and facets.
#pragma once

#include <boost/beast/http/fields.hpp>

#include <string>
#include <vector>

#include "desk/desk.h"
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

// Handlers of routes. The request's `captures` have the product or the comment's id. Thread-safe.
class CommentsApi {
 public:
  // All must outlive this.
  CommentsApi(Comments& comments, Metrics& metrics, desk::Desk& desk)
      : comments_(comments), metrics_(metrics), desk_(desk) {}

  Awaitable<Response> list(const Request& request);
  Awaitable<Response> post(const Request& request);
  Awaitable<Response> get(const Request& request);
  Awaitable<Response> page_number(const Request& request);
  Awaitable<Response> patch(const Request& request);
  Awaitable<Response> remove(const Request& request);

 private:
  Awaitable<std::optional<Response>> get_for_moderators(const Request& request);

  Comments& comments_;
  Metrics& metrics_;
  desk::Desk& desk_;
};

}  // namespace quire::http
