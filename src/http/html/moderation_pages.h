// The handlers of /moderation: sign in and out, the queue, decisions and replies by forms.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/access/door.h"
#include "http/html/html.h"
#include "http/html/moderation_form.h"
#include "http/html/moderation_html.h"
#include "http/message.h"
#include "http/site.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

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
  Awaitable<Response> undo(const Request& request);
  Awaitable<Response> reply(const Request& request);

 private:
  Response sign_in_page(std::string_view fault, unsigned status = 200) const;
  // For the product of each row the name that the shop tells, else the id.
  Awaitable<Result<std::vector<std::string>>> product_names(const QueuePage& page) const;
  // How many comments each queue has under the filter. `known`: how many that of the question has,
  // where it was counted.
  Awaitable<QueueCounts> counts_of(const desk::Permit& permit, QueueQuestion question,
                                   std::optional<std::uint64_t> known) const;
  std::string cookie_line(std::string_view value, std::uint64_t seconds) const;
  // Why a form is not taken; absent: it is of this session.
  std::optional<Response> refuses(const Request& request) const;
  bool is_own(const Request& request) const;

  Comments& comments_;
  const Door& door_;
  const Site& site_;
  const Html& html_;
};

}  // namespace quire::http
