// What writers may send of a comment, by the kind of writer. Nothing here is counted or kept.
#pragma once

#include <string_view>

#include "desk/writer.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "shop/shop.h"

namespace quire::desk {

using identity::day_ms;

// The error of a write to a product that does not begin with a token's prefix.
Error beyond(std::string_view prefix);

// Makes the draft the writer's, who is bound by the shop's rules: with the customer, the name that
// the shop gave, and `verified` where the product was bought, or one that has moved to it.
// invalid_comment: it has what only tokens may send.
Status make_theirs(const Writer& writer, const shop::Shop& shop, const Present& present,
                   Draft& draft);
// The same of a change.
Status make_theirs(const Writer& writer, const shop::Shop& shop, Patch& patch);

// What nobody sends, whatever the rights: pictures at hosts that the shop does not name, and
// `helpful` and `unhelpful` while customers vote. `shop` may be null. invalid_comment.
Status check_content(const shop::Shop* shop, const Draft& draft);
Status check_content(const shop::Shop* shop, const Patch& patch);

// What needs a further scope: a time of its own "import", a decision "moderate", and a change of
// the comment itself "edit". forbidden.
Status check_scopes(const Writer& writer, const Draft& draft);
Status check_scopes(const Writer& writer, const Patch& patch);

// Whether the comment is the customer's: forbidden, or not_found where others cannot see it.
Status check_author(const Customer& customer, const Comment& comment);
// Whether the customer may change this comment: the same errors, and forbidden where it is older
// than the shop's edit_days.
Status check_edit(const Customer& customer, const shop::Shop& shop, const Comment& comment);

}  // namespace quire::desk
