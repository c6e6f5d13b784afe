// The items that say what a customer wrote. All of a customer's are in one partition.
// Format: docs/formats/table.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
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

}  // namespace quire::dynamodb
