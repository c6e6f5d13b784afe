// The JSON interface to customers' votes on comments.
#pragma once

#include "http/access/permission.h"
#include "http/message.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// Handlers of routes. Thread-safe.
class VotesApi {
 public:
  // Both must outlive this.
  VotesApi(Comments& comments, Permission& permission)
      : comments_(comments), permission_(permission) {}

  Awaitable<Response> put(const Request& request);
  Awaitable<Response> remove(const Request& request);
  // A form of a page of the shop: the fields `token` and `vote`, which may be "none". Leads to the
  // comment on its page.
  Awaitable<Response> form(const Request& request);

 private:
  Comments& comments_;
  Permission& permission_;
};

}  // namespace quire::http
