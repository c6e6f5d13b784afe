// The page of moderators: the values of web/moderation.tpl.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/zone.h"
#include "http/html/moderation_form.h"
#include "http/templates/values.h"
#include "service/comments.h"
#include "shop/shop.h"
#include "texts/texts.h"

namespace quire::http {

// The queues that the page has tabs of, in their order.
inline constexpr std::array<QueueQuestion::Kind, 4> shown_queues = {
    QueueQuestion::Kind::pending, QueueQuestion::Kind::reported, QueueQuestion::Kind::rejected,
    QueueQuestion::Kind::published};
// How many comments a queue has.
struct QueueCount {
  std::optional<std::uint64_t> comments;  // absent: they are not counted
  bool in_all = false;                    // without the filter, under which they are not counted
};
using QueueCounts = std::array<QueueCount, shown_queues.size()>;
// A tab tells no greater number, but that there are more.
inline constexpr std::uint64_t most_counted = 1000;
inline constexpr std::uint64_t more_than_counted = most_counted + 1;

// Refers to values that must outlive it.
struct ShownQueue {
  const QueueQuestion& question;
  const QueuePage& page;
  const std::vector<std::string>& products;  // the names of the products of its rows
  const QueueCounts& counts;                 // of each tab
  std::string_view moderator;                // the name of the token
  bool replies;                              // who may reply for the shop
  std::string_view form_value;               // that each form carries
  const texts::Texts& texts;                 // English
  const Zone& zone;                          // whose days are shown
  const Outcome& outcome;                    // of the last deed
  std::string_view told;                     // the same as a text; empty: nothing became of it
  const shop::Shop* shop;                    // null: there is no shop file
};

void fill_queue(Values& out, const ShownQueue& queue);
// `fault`: why the last try failed; empty: there was none.
// `secret`: of a demo, for a button that spends it; empty: a token is asked for.
void fill_sign_in(Values& out, std::string_view fault, std::string_view secret = {});

// In which order the page shows a queue, unless it is asked for another.
Order usual_order(QueueQuestion::Kind kind);

// Whether the comments of a queue are there by a rule.
bool has_rules(QueueQuestion::Kind kind);
bool is_rule(std::string_view name);

// The same question for the first page.
QueueQuestion from_start(QueueQuestion question);

// The query of the page's address: "status=pending&product=42".
std::string queue_query(const QueueQuestion& question);

}  // namespace quire::http
