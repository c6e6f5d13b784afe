// The JSON interface to customers' votes on comments.
#pragma once

#include "http/access/door.h"
#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

// Handlers of routes. Thread-safe.
class VotesApi {
 public:
  // `door` must outlive this.
  explicit VotesApi(const Door& door) : door_(door) {}

  // The customer's own votes on the comments that the request names, and which of them the customer
  // wrote.
  Awaitable<Response> own(const Request& request);
  Awaitable<Response> put(const Request& request);
  Awaitable<Response> remove(const Request& request);
  // A form of a page of the shop: the fields `token` and `vote`, which may be "none". Leads to the
  // comment on its page.
  Awaitable<Response> form(const Request& request);

 private:
  const Door& door_;
};

}  // namespace quire::http
