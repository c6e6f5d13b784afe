// The handlers of /moderation: sign in and out, the queue, and decisions by a form.
#pragma once

#include <string>
#include <string_view>

#include "http/access/door.h"
#include "http/html/html.h"
#include "http/message.h"
#include "http/parameters.h"
#include "http/site.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// The parameters of the queue's page.
inline const Names queue_page_parameters = {"status", "product", "rating",  "language",
                                            "q",      "replied", "sort",    "after",
                                            "before", "done",    "refused", "secret"};

// Handlers of routes. Thread-safe.
class ModerationPages {
 public:
  // All must outlive this.
  ModerationPages(Comments& comments, const Door& door, const Site& site, const Html& html)
      : comments_(comments), door_(door), site_(site), html_(html) {}

  Awaitable<Response> queue(const Request& request);
  Awaitable<Response> sign_in(const Request& request);
  Awaitable<Response> sign_out(const Request& request);
  Awaitable<Response> decide(const Request& request);

 private:
  Response sign_in_page(std::string_view fault, unsigned status = 200) const;
  // For the product of each row the name that the shop tells, else the id.
  Awaitable<Result<std::vector<std::string>>> product_names(const QueuePage& page) const;
  std::string cookie_line(std::string_view value, std::uint64_t seconds) const;
  // Whether the form is of this session.
  bool is_own(const Request& request) const;

  Comments& comments_;
  const Door& door_;
  const Site& site_;
  const Html& html_;
};

}  // namespace quire::http
