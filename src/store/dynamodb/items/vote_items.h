// The items of votes. Those on a comment are in its partition; those of a customer in a partition
// of the index `all`. Format: docs/formats/table.md
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
#include "model/vote.h"

namespace quire::dynamodb {

inline constexpr std::string_view vote_prefix = "VOTE#";
Item vote_key(const Ulid& id, const CustomerHash& customer);
Item vote_item(const Ulid& id, const CustomerHash& customer, Vote vote);
// Whether the item has the key of a vote; it may be damaged.
bool is_vote(const Item& item);
std::optional<Vote> read_vote(const Item& item);  // absent: the item is damaged
// The comment in the key of an item of its partition.
std::optional<Ulid> comment_of_partition(const Item& item);
inline constexpr std::string_view vote_attribute = "vote";

// The key under which all votes of a comment's partition go together. No item has it.
Item votes_key(const std::string& partition);

// Says that the comment is removed, and that votes on it are left.
Item sweep_key(const Ulid& id);
Item sweep_item(const Ulid& id);
inline constexpr std::string_view sweep_partition = "SWEEP";  // of the index `all`

// The attribute of a comment that has votes: what `helpful` and `unhelpful` were without them.
inline constexpr std::string_view unvoted_attribute = "unvoted";
std::string encode_tally(const Tally& tally);
// Of a comment's item. Absent: it has no votes, or the attribute is damaged.
std::optional<Tally> unvoted_in(const Item& item);

}  // namespace quire::dynamodb
