// The JSON interface to the facets of the store.
#pragma once

#include "http/message.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// The handler of a route. Thread-safe.
class FacetsApi {
 public:
  explicit FacetsApi(Comments& comments) : comments_(comments) {}

  Awaitable<Response> list(const Request& request);

 private:
  Comments& comments_;
};

}  // namespace quire::http
