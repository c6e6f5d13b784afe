// The route table: which handler answers which method and path.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "http/access/door.h"
#include "http/application/application.h"

namespace quire::http {

// What a response tells of, which decides how long the page cache keeps it.
enum class About {
  product,  // the product that the route captures
  store,    // all products
  other,    // it is not kept
};

struct Route {
  Verb method;
  std::string_view pattern;
  Awaitable<Response> (*handler)(Handlers&, const Request&);
  Entrance entrance = {};   // how it lets requests in
  bool html = false;        // its errors are web pages, too
  bool operations = false;  // for operators, who may have a server of their own
  About about = About::other;
  // Whether the route, as that of a web page or feed, ignores other parameters than these and,
  // where it is about a product, those of a filter.
  bool ignores = false;
  Names parameters = {};
  OpenTo open = {};  // what pages of the shop's origins may do with it
  std::size_t max_body = limits::body_bytes;
  bool streams = false;  // the handler takes the body as it comes, of any length

  bool takes_body() const {
    return method == Verb::post || method == Verb::put || method == Verb::patch;
  }
};

const std::vector<Route>& routes();

// The methods and patterns of the routes, and last the name under which unknown paths count.
std::vector<std::string> route_names();

// The segments that match `{…}` in the pattern; nothing if the path does not match.
std::optional<std::vector<std::string>> match(std::string_view pattern,
                                              const std::vector<std::string>& segments);

}  // namespace quire::http
