// The items of the table: how comments, lists, statistics and leaderboards lie in it, how they are
// read back, what makes an item damaged, and the conditions under which it is written. Format:
// docs/formats/table.md. Nothing in this folder sends anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dynamodb/calls.h"
#include "model/entry.h"
#include "model/facets.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "quire/statistics.h"
#include "store/dynamodb/items/parts_item.h"

namespace quire::dynamodb {

// Each index's partition key, in the order of `indexes`. Every index's sort key is
// `sort_attribute`.
inline constexpr std::array<std::string_view, indexes.size()> partition_attributes = {
    "GSI4PK", "GSI2PK", "GSI3PK", "GSIPK"};
inline constexpr std::string_view sort_attribute = "GSISK";

// An item's key: its PK and SK.
Item key_of(std::string partition, std::string sort);
Item key_in(const Item& item);
// Its PK and SK, as sentences name it.
std::string name_of(const Item& item);
Item comment_key(const Ulid& id);
// The index keys of a comment: a published one has five, which put it into its lists; another has
// two, which put it into the queue of its status. `before`: the comment's item so far; the comment
// stays in its part of a list as long as it stays in the list, and the part is read.
Item list_keys(const Comment& comment, const ListParts& parts = {}, const Item* before = nullptr);
Item comment_item(const Comment& comment, const ListParts& parts = {},
                  const Item* before = nullptr);

// An item that was set aside keeps its index keys under this name, `_` and the key's name, and the
// reason under this name alone.
inline constexpr std::string_view aside_attribute = "aside";
// Of a comment that came by an import and was emptied here. Where it was removed, the item has this
// and its key alone. Imports pass its id over.
inline constexpr std::string_view removed_attribute = "removed_here";
// What is left of such a comment.
Item removed_item(const Ulid& id);

// About how many bytes a number of this many digits is billed.
inline std::size_t billed_number(std::size_t digits) {
  return digits / 2 + 2;
}
// How many bytes an item is billed: those of its names and values.
std::size_t billed_bytes(const Item& item);
// Why a table cannot keep the comment: an item has at most 400 KB. invalid_comment.
Status check_size(const Comment& comment);

// The place in `indexes` of the index that has this list.
std::size_t index_of(const Cell& list);

// The key with which a read of a part of `list` goes on after the comment
// `after`.
Item resume_key(std::string_view product, const Cell& list, const Ulid& after,
                std::size_t part = 0);
// `start`: the read goes on after this key, and not after `range.after`.
Call list_query(const std::string& table, std::string_view product, Order order, const Range& range,
                std::optional<Item> start = {});

// A product's comments of each rating: in all languages together, under `any`, and in each language
// that has comments.
using Totals = std::map<FacetValue, RatingCounts>;

Item statistics_key(std::string_view product, FacetValue language);
Item statistics_item(std::string_view product, FacetValue language, const RatingCounts& counts,
                     std::size_t leader_shards = 1);
// A product's entry in the leaderboard by average. The entry changes only with the digits of its
// sort key, so it seldom changes for a product with many comments. Nothing without comments.
Item average_key(std::string_view product, FacetValue language);
std::optional<Item> average_item(std::string_view product, FacetValue language,
                                 const RatingCounts& counts, std::size_t leader_shards = 1);
QueryArguments statistics_of(const std::string& table, std::string_view product, bool consistent);
// The product of a statistics item or a leaderboard entry, whose key is as Quire writes it.
std::optional<std::string> product_in(const Item& item);
// Whether a leaderboard has the item.
bool is_leader(const Item& item);
// Adds the counts of a statistics item; other items add nothing.
void add_statistics(Totals& totals, const Item& item);

// The registry of products that have comments, in byte order.
inline constexpr std::string_view products_partition = "PRODUCTS";
// The partition of byLangAndRating that has a shard of a leaderboard, best last. A leaderboard may
// have several shards, as one partition takes a limited number of writes; a product is always in
// the same shard.
std::string leaders_partition(Leaders by, FacetValue language, std::size_t shard);

// The limits of requests to the table: the service's own, and those that keep a request from going
// on forever.
inline constexpr int max_rounds = 10;  // of a write that other writes keep refusing

// The limits of one transaction.
inline constexpr std::size_t max_actions = 100;
inline constexpr std::size_t max_transaction_bytes = 3'000'000;  // of its items

// Conditions under which an item is written: it is not there.
Expression absent();
// The item still has this number as its `version`; 0: it is not there.
Expression has_version(std::uint64_t version);
// The item still has these attributes with the values they have in `item`, and
// still lacks those that `item` lacks. At most 26 attributes.
Expression unchanged(const Item& item, std::span<const std::string> attributes);

}  // namespace quire::dynamodb
