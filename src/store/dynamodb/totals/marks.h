// A projection's state as items of the table. Nothing here sends anything.
#pragma once

#include <string>

#include "change/target.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {

// The item that has all of the state but the marks.
Item state_item(std::string_view projection, const change::State& state);
// The state is of this epoch and phase.
Expression state_is(const std::string& epoch, change::Phase phase);
// Makes a transaction fail if the state is of another epoch or phase. It changes nothing: it puts
// the state that is there.
Action require_state(std::string_view projection, const change::State& state);
// The error when the caller's epoch has ended.
Error epoch_ended();
Item mark_item(std::string_view projection, const std::string& epoch, const std::string& shard,
               const change::Mark& mark);
Item mark_key(std::string_view projection, const std::string& shard);
// The shard has this mark in this epoch; without `mark`: the shard has no mark.
Expression mark_is(const std::string& epoch, const std::optional<change::Mark>& mark);

// Adds a state item or a mark to the state; other items add nothing. False: the item is damaged.
bool add_to_state(change::State& state, const Item& item);

}  // namespace quire::dynamodb
