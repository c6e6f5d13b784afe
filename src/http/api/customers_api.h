// The JSON interface of customers: their own comments, invitations, and what is kept of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "desk/desk.h"
#include "http/message.h"
#include "http/site.h"
#include "loop/awaitable.h"

namespace quire::http {

inline constexpr std::size_t max_invitations = 1'000;  // of one request

// What is kept of a customer, as JSON.
std::string kept_json(const Kept& kept);
// The receipt of an erasure, as JSON.
std::string receipt_json(const Erased& erased);
// The address of an invitation, below the public URL: the form for its product, or the page of its
// several products.
std::string invitation_address(const std::vector<std::string>& products, std::string_view ticket);
// An invitation as JSON. `root`: the public URL of this service; empty: it is not known, and the
// invitation has no link.
std::string invitation_json(const desk::Wish& wish, const desk::Invited& invited,
                            std::string_view root);

// Handlers of routes. Thread-safe.
class CustomersApi {
 public:
  // Both must outlive this.
  CustomersApi(desk::Desk& desk, const Site& site) : desk_(desk), site_(site) {}

  Awaitable<Response> own(const Request& request);
  Awaitable<Response> invite(const Request& request);
  // What is kept of a customer: comments, reports and votes.
  Awaitable<Response> export_kept(const Request& request);
  // Erases what is kept of a customer, and answers a receipt.
  Awaitable<Response> erase(const Request& request);

 private:
  desk::Desk& desk_;
  const Site& site_;
};

}  // namespace quire::http
