// The state of a projection as items of the table. Nothing here sends anything.
#pragma once

#include <string>

#include "change/target.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {

// One item holds all but the marks.
Item state_item(std::string_view projection, const change::State& state);
Expression is_in(const std::string& epoch, change::Phase phase);
// Makes a transaction fail in another epoch or phase, and changes nothing: what is put is there.
Action still_in(std::string_view projection, const change::State& state);
// What one is told whose epoch it is no longer.
Error begun_anew();
Item mark_item(std::string_view projection, const std::string& epoch, const std::string& shard,
               const change::Mark& mark);
Item mark_key(std::string_view projection, const std::string& shard);
// The shard has this mark in this epoch; nothing: it has none at all.
Expression has_mark(const std::string& epoch, const std::optional<change::Mark>& mark);

// Items of both kinds make up a state; others are left aside. False if one is damaged.
bool add_to_state(change::State& state, const Item& item);

}  // namespace quire::dynamodb
