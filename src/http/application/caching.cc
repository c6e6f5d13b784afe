#include "http/application/caching.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "http/encoding/compress.h"

namespace quire::http {
namespace {

std::string_view cache_control(Caching caching) {
  switch (caching) {
    case Caching::none:
      return "no-store";
    case Caching::revalidate:
      return "public, max-age=0, must-revalidate";
    case Caching::forever:
      return "public, max-age=31536000, immutable";
  }
  return {};
}

// All that Quire sends is text, which compresses well. A page that is left out is of usual size.
Coding coding_of(const Request& request, const Response& response) {
  auto size = response.bytes().size();
  bool fits = response.body_left_out || (size >= min_compressed && size <= max_compressed);
  return fits ? request.best_coding() : Coding::identity;
}

std::string tag_of(const Response& response) {
  return tag_in(response.coding, response.tag.empty()
                                     ? fmt::format("\"{:016x}\"", long_hash(response.bytes()))
                                     : response.tag);
}

}  // namespace

void add_caching(const Request& request, Response& response) {
  bool read = response.status == 200 && request.reads();
  if (read) {
    response.coding = coding_of(request, response);
    response.add("Vary",
                 response.by_language ? "Accept-Encoding, Accept-Language" : "Accept-Encoding");
  }
  if (!read || response.caching == Caching::none) {
    bool own = response.own || request.token || response.status == 202;  // for one reader alone
    response.add("Cache-Control", own ? "private, no-store" : "no-store");
    return;
  }
  response.tag = tag_of(response);
  response.add("ETag", response.tag);
  response.add("Cache-Control", cache_control(response.caching));
  if (request.has(response.tag)) {
    response.status = 304;
    response.clear_body();
  }
}

Awaitable<void> encode(const Request& request, Response& response) {
  if (response.coding == Coding::identity || response.status != 200 || response.body_left_out)
    co_return;
  if (request.method == Verb::head) {
    response.clear_body();
    response.body_left_out = true;
  } else if (response.shared.data()) {
    response.shared = co_await compressed_once(response.coding, response.shared);
  } else {
    auto bytes = co_await compressed(response.coding, response.body);
    std::swap(response.body, bytes);
    request.give_spare(std::move(bytes));
  }
}

}  // namespace quire::http
