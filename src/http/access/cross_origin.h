// What pages of the shop's own origins may do from a browser: read, write as customers (CORS), and
// frame; and from which hosts our pages load pictures. No cookie is ever asked for or sent: who
// writes is said by a header.
#pragma once

#include <optional>
#include <string>

#include "http/message.h"
#include "shop/shop_file.h"

namespace quire::http {

// Whether a route is for pages of the shop's origins.
struct OpenTo {
  bool scripts = false;  // of the shop's pages may ask it
  bool frames = false;   // the shop's pages may frame it
};

// Thread-safe.
class CrossOrigin {
 public:
  // `shop` must outlive this; null: there is none, and no other origin may do anything.
  explicit CrossOrigin(const shop::ShopFile* shop) : shop_(shop) {}

  // Whether the request comes from a page of one of the shop's origins.
  bool allows(const Request& request) const;
  // The response to a browser that asks whether a script may send a request. `methods`: those that
  // are open to scripts at this address, with commas between. Absent: the request asks no such
  // thing, or its origin is not the shop's.
  std::optional<Response> preflight(const Request& request, const std::string& methods) const;
  // Adds what the response to this request says to browsers of the shop's pages, and the hosts of
  // pictures.
  void add(const Request& request, OpenTo open, Response& response) const;

 private:
  const shop::ShopFile* const shop_;
};

}  // namespace quire::http
