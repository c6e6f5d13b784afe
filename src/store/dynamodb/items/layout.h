// What lies where in the table. Format: docs/formats/table.md
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "dynamodb/calls.h"
#include "model/entry.h"
#include "model/index.h"
#include "quire/comment.h"
#include "quire/statistics.h"

namespace quire::dynamodb {

// The attribute that is an index's partition key; its sort key is `sort_attribute` in all of them.
inline constexpr std::array<std::string_view, indexes.size()> partition_attributes = {
    "GSI4PK", "GSI2PK", "GSI3PK", "GSIPK"};
inline constexpr std::string_view sort_attribute = "GSISK";

// Of an item with this key, PK and SK.
Item key_of(std::string partition, std::string sort);
Item comment_key(const Ulid& id);
Item comment_item(const Comment& comment);
// The index keys of a comment, by which it is in its lists: five attributes.
Item list_keys(const Comment& comment);

// A comment that was set aside has its index keys under names that begin with this and `_`; under
// this name alone it has the reason.
inline constexpr std::string_view aside_attribute = "aside";

// What a number of so many digits weighs, about.
inline std::size_t billed_number(std::size_t digits) {
  return digits / 2 + 2;
}
// What an item weighs when it is billed: its names and values.
std::size_t billed_bytes(const Item& item);

// Where a read of `list` after `after` starts.
Item start_of(std::string_view product, const Cell& list, const Ulid& after);
// `start`: goes on there instead of after `range.after`.
Call list_query(const std::string& table, std::string_view product, Order order, const Range& range,
                std::optional<Item> start = {});

// How many comments a product has of each rating: in all languages under `any`, and in each that
// has some.
using Totals = std::map<FacetValue, RatingCounts>;

Item statistics_key(std::string_view product, FacetValue language);
Item statistics_item(std::string_view product, FacetValue language, const RatingCounts& counts,
                     std::size_t leader_shards = 1);
// A product's place in the leaderboard by average. It changes only with the digits shown in its
// key, so a product with many comments seldom moves. Nothing without comments.
Item average_key(std::string_view product, FacetValue language);
std::optional<Item> average_item(std::string_view product, FacetValue language,
                                 const RatingCounts& counts, std::size_t leader_shards = 1);
Call statistics_query(const std::string& table, std::string_view product,
                      const std::optional<Item>& start, bool consistent);
// The product of a statistics item or a place in a leaderboard.
std::optional<std::string> product_in(const Item& item);
// Adds what a statistics item says; others are left aside.
void add_statistics(Totals& totals, const Item& item);

// The registry of products that have comments, in byte order.
inline constexpr std::string_view products_partition = "PRODUCTS";
// The partition of byLangAndRating in which a leaderboard is, best last; of several, so that more
// is written than one partition takes, a product's is always the same.
std::string leaders_partition(Leaders by, FacetValue language, std::size_t shard);
inline constexpr std::size_t max_leader_shards = 32;

}  // namespace quire::dynamodb
