// The handlers of the form by which anyone reports a comment, which has what a notice of unlawful
// content has: why, name and mail, and that it is made in good faith. It needs no cookie and no
// script.
#pragma once

#include <string>

#include "http/access/cross_origin.h"
#include "http/access/door.h"
#include "http/form/form_fields.h"
#include "http/html/html.h"
#include "http/message.h"
#include "http/site.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// Handlers of routes. Thread-safe.
class ReportPages {
 public:
  // All must outlive this.
  ReportPages(Comments& comments, const Door& door, const CrossOrigin& cross_origin,
              const Site& site, const Html& html)
      : comments_(comments), door_(door), cross_origin_(cross_origin), site_(site), html_(html) {}

  Awaitable<Response> open(const Request& request);
  Awaitable<Response> take(const Request& request);

 private:
  struct Filled;

  // The comment with the form; without it where the report was taken.
  Awaitable<Response> show(const Request& request, Filled filled) const;

  Comments& comments_;
  const Door& door_;
  const CrossOrigin& cross_origin_;
  const Site& site_;
  const Html& html_;
};

}  // namespace quire::http
