// The page of moderators: the values of web/moderation.tpl.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/zone.h"
#include "http/templates/values.h"
#include "service/comments.h"
#include "shop/shop.h"
#include "texts/texts.h"

namespace quire::http {

// Refers to values that must outlive it.
struct ShownQueue {
  const QueueQuestion& question;
  const QueuePage& page;
  const std::vector<std::string>& products;  // the names of the products of its rows
  std::string_view moderator;                // the name of the token
  std::string_view form_value;               // that each form carries
  const texts::Texts& texts;                 // English
  const Zone& zone;                          // whose days are shown
  std::string_view told;                     // what became of the last decisions; empty: nothing
  const shop::Shop* shop;                    // null: there is no shop file
};

void fill_queue(Values& out, const ShownQueue& queue);
// `fault`: why the last try failed; empty: there was none.
// `secret`: of a demo, for a button that spends it; empty: a token is asked for.
void fill_sign_in(Values& out, std::string_view fault, std::string_view secret = {});

// In which order the page shows a queue, unless it is asked for another.
Order usual_order(QueueQuestion::Kind kind);

// The query of the page's address: "status=pending&product=42".
std::string queue_query(const QueueQuestion& question);

}  // namespace quire::http
