// The JSON interface to comments and facets.
#pragma once

#include <boost/beast/http/fields.hpp>

#include <memory>
#include <string>
#include <vector>

#include "http/access/audit_log.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "loop/awaitable.h"
#include "quire/result.h"
#include "service/comments.h"
#include "shop/shop_file.h"

namespace quire::http {

// The tags in all If-Match headers, with their quotes, and weak ones with W/. The tag of a
// compressed body is that of its content, because any representation of a comment names its state.
// Empty if there is no such header, or it allows any state. invalid_parameter: the header is no
// list of tags.
Result<std::vector<std::string>> if_match(const boost::beast::http::fields& headers);

// The states of a comment, and the products, that this request may change. invalid_parameter: as
// above.
Result<Condition> condition_of(const Request& request);

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
  // All must outlive this. `audit` records changes; null: they are not recorded. `shop`: null:
  // nothing is held back.
  CommentsApi(Comments& comments, Metrics& metrics, AuditLog* audit, const shop::ShopFile* shop)
      : comments_(comments), metrics_(metrics), audit_(audit), shop_(shop) {}

  Awaitable<Response> list(const Request& request);
  Awaitable<Response> post(const Request& request);
  Awaitable<Response> get(const Request& request);
  Awaitable<Response> page_number(const Request& request);
  Awaitable<Response> patch(const Request& request);
  Awaitable<Response> remove(const Request& request);

 private:
  Awaitable<Response> get_for_moderators(const Request& request);
  // The error of a customer's change of a comment that they may not change.
  Awaitable<Status> check_own(const Request& request, const shop::Shop& shop, Ulid id) const;
  std::shared_ptr<const shop::Shop> shop() const { return shop_ ? shop_->shop() : nullptr; }

  Comments& comments_;
  Metrics& metrics_;
  AuditLog* audit_;
  const shop::ShopFile* shop_;
};

}  // namespace quire::http
