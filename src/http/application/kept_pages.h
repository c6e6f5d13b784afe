// The page cache: keeps responses to GET until the generation of their product or of the shop file
// ends. A hit costs neither a look at the route nor at the parameters. Also in which coding a
// response goes out, and how clients may keep it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"
#include "http/operations/metrics.h"
#include "loop/awaitable.h"
#include "model/generation.h"
#include "page_cache/cache.h"
#include "service/comments.h"
#include "shop/shop_file.h"

namespace quire::http {

// Adds Cache-Control, and to a read that succeeded an ETag and the coding in which the client takes
// it (RFC 9110, 12.5.3 and 13; RFC 9111). Makes the response a 304 without a body if the client has
// this tag. The body is as it was: encode() compresses it.
void add_caching(const Request& request, Response& response);

// Compresses the body in the coding that add_caching() chose. The response to HEAD gets no body,
// and no length: only compressing would tell it.
Awaitable<void> encode(const Request& request, Response& response);

// Thread-safe.
class KeptPages {
 public:
  // All must outlive this. `shop`: null: there is none.
  KeptPages(const Comments& comments, Metrics& metrics, const shop::ShopFile* shop,
            std::size_t max_bytes)
      : comments_(comments), metrics_(metrics), shop_(shop), cache_(max_bytes) {}

  // The response to the request, as soon as its header is there. Absent: none of the present
  // generation is kept. Then the request has a `page_key`, unless its response is not to be kept.
  std::optional<RoutedResponse> find(Request& request);

  // The making of a response that may be kept.
  struct Making {
    std::string product;  // that it is about; empty: the whole store
    Generation generation;
    std::uint64_t shop;  // the generation of the shop file
    page_cache::Flights::Seat seat;
  };
  // Begins to make the response to a request with a `page_key`. Absent: it cannot be kept now.
  std::optional<Making> begin(const Request& request, std::string_view product);
  // The response of another request that is made now. Absent: there is none.
  Awaitable<std::optional<Response>> wait(const Request& request, Making& making);
  // Keeps the response, if it may be kept. Gives it to the requests that wait in any case: they
  // asked while it was made.
  void end(const Request& request, Making making, const Response& response);

 private:
  struct Page;

  std::uint64_t shop_generation() const { return shop_ ? shop_->generation() : 0; }
  bool is_present(const Page& page) const;
  static Response response_of(const Request& request, std::shared_ptr<const Page> page);

  const Comments& comments_;
  Metrics& metrics_;
  const shop::ShopFile* shop_;
  page_cache::Cache cache_;
  page_cache::Flights flights_;
};

}  // namespace quire::http
