// The items that say what a customer wrote, all in one partition; and those of votes. The votes on
// a comment are in its partition, those of a customer in a partition of the index `all`.
// Format: docs/formats/table.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
#include "model/vote.h"
#include "quire/comment.h"

namespace quire::dynamodb {

inline constexpr std::string_view customer_prefix = "CUSTOMER#";
std::string customer_partition(const CustomerHash& customer);
// Absent: it is no partition of a customer.
std::optional<CustomerHash> customer_in(const Item& item);

// A comment has one, if a customer wrote it.
Item customer_comment_key(const CustomerHash& customer, const Ulid& id);
Item customer_comment_item(const CustomerHash& customer, const Comment& comment);
bool is_customer_comment(const Item& item);
// The id in its key, and the product that it names.
std::optional<Ulid> comment_in_key(const Item& item);
std::optional<std::string_view> product_named(const Item& item);

// The comment that was written as the customer's only one of its product.
Item customer_product_key(const CustomerHash& customer, std::string_view product);
Item customer_product_item(const CustomerHash& customer, const Comment& comment);
bool is_customer_product(const Item& item);

// A ticket that is used, until it ends.
Item ticket_key(const CustomerHash& customer, const std::array<std::uint8_t, 16>& ticket);
Item ticket_item(const CustomerHash& customer, const std::array<std::uint8_t, 16>& ticket,
                 std::uint64_t ends_ms, const Ulid& comment);
bool is_ticket(const Item& item);

// The comment that an item of the last two kinds names.
std::optional<Ulid> comment_named(const Item& item);
inline constexpr std::string_view named_attribute = "comment";

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
