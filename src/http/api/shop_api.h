// The JSON interface to what the shop says: what it tells of its products, and its replies to
// comments.
#pragma once

#include <string>
#include <string_view>

#include "desk/desk.h"
#include "http/message.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// The error of a product of which the shop tells nothing.
Error no_facts();
// What became of a move as JSON. `to`: the product to which it was asked for.
std::string moved_json(std::string_view to, const Moved& moved);
// The shop's reply as JSON, after it was set.
std::string reply_json(const Edited& edited);

// Handlers of routes. Thread-safe.
class ProductsApi {
 public:
  // Both must outlive this.
  ProductsApi(Comments& comments, desk::Desk& desk) : comments_(comments), desk_(desk) {}

  Awaitable<Response> get(const Request& request);
  Awaitable<Response> put(const Request& request);
  Awaitable<Response> remove(const Request& request);
  Awaitable<Response> move(const Request& request);

 private:
  Comments& comments_;
  desk::Desk& desk_;
};

// Handlers of routes. Thread-safe.
class RepliesApi {
 public:
  // `desk` must outlive this.
  explicit RepliesApi(desk::Desk& desk) : desk_(desk) {}

  Awaitable<Response> put(const Request& request);
  Awaitable<Response> remove(const Request& request);

 private:
  Awaitable<Result<Edited>> change(const Request& request, std::optional<Reply> reply);

  desk::Desk& desk_;
};

}  // namespace quire::http
