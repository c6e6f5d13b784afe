// The limits of requests that write without a token of this server: those of customers, and of
// anyone where the shop lets anyone write.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/message.h"
#include "loop/awaitable.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "service/comments.h"
#include "shop/shop.h"

namespace quire::http {

// Makes the draft the writer's: with the customer, the name that the shop gave, and `verified`
// where the product was bought. invalid_comment: it has what only tokens may send.
std::optional<Error> take(const Request& request, const shop::Shop& shop, Draft& draft);
// The same of a change.
std::optional<Error> take(const Request& request, const shop::Shop& shop, Patch& patch);
// invalid_comment: a picture is at a host that the shop does not name. `shop` may be null.
std::optional<Error> check_hosts(const shop::Shop* shop, const Media& media);
// invalid_comment: while customers vote, `helpful` and `unhelpful` are counted, and nobody sends
// them. `shop` may be null.
std::optional<Error> check_counted(const shop::Shop* shop, const Draft& draft);
std::optional<Error> check_counted(const shop::Shop* shop, const Patch& patch);
// What binds the customer of this request, if there is one.
Terms terms_of(const Request& request, const shop::Shop* shop);

// Why the comment is not the customer's: forbidden, or not_found where others cannot see it.
// Absent: it is.
std::optional<Error> refuses_others(const Request& request, const Comment& comment);

// The rules that bind the writer of this request; null: none does. `shop` may be null.
Awaitable<Result<Rules>> rules_for(const Comments& comments, const Request& request,
                                   std::shared_ptr<const shop::Shop> shop);
// The owner of an idempotency key: the token, the customer, or the client's network.
std::string sender_of(const Request& request);

// Why the customer may not change this comment: not_found or forbidden. Absent: it is their own,
// and of the last edit_days.
std::optional<Error> refuses_edit(const Request& request, const shop::Shop& shop,
                                  const Comment& comment);

// A customer's own comment as JSON: with its status in any case, and its ETag.
std::string own_json(const Comment& comment);

}  // namespace quire::http
