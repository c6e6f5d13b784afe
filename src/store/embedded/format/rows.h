// Keys and rows in LMDB of comments, products, request keys, leaders, customers, votes, decisions
// and reports. Format: docs/formats/store.md. Changing anything here is a new format version.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/databases.h"
#include "event/event.h"
#include "lmdb/numbers.h"
#include "model/counts.h"
#include "model/facets.h"
#include "model/moderation.h"
#include "model/schema.h"
#include "model/vote.h"
#include "quire/customer.h"
#include "quire/ulid.h"
#include "store/event_log.h"

namespace quire::embedded {

using bitmap_index::Key;
using lmdb::get_u16;
using lmdb::get_u32;
using lmdb::get_u64;
using lmdb::put_u16;
using lmdb::put_u32;
using lmdb::put_u64;

inline constexpr std::uint32_t format_version = 9;
inline constexpr std::string_view format_magic = "quire-comments";
std::string format_row();

// Stands for a product in other keys and in the bitmap index. Given in order from 0, for ever.
using ProductNumber = bitmap_index::Product;
inline constexpr ProductNumber max_product = 0xFFFFFFFE;
// In keys of `revisions`.
inline constexpr ProductNumber all_products = 0xFFFFFFFF;

// A product's number as a value, and as the beginning of the keys of its comments.
inline Key<4> number_value(ProductNumber product) {
  Key<4> value;
  put_u32(value.bytes.data(), product);
  return value;
}

template <std::size_t one, std::size_t other>
Key<one + other> joined(const std::array<std::uint8_t, one>& front,
                        const std::array<std::uint8_t, other>& back) {
  Key<one + other> key;
  std::copy(back.begin(), back.end(), std::copy(front.begin(), front.end(), key.bytes.begin()));
  return key;
}

struct LanguageRow {
  FacetValue language;
  RatingCounts comments;
};

struct ProductRow {
  ProductNumber number = 0;
  std::uint64_t generation = 0;  // grows with every commit that changes the product or a comment
  std::vector<LanguageRow> languages;  // sorted by language

  const LanguageRow* find(FacetValue language) const;
  // Whether the product has comments in the language, or may have.
  bool has_room(FacetValue language) const;
  // The number of comments of a cell. Adds a language that is missing.
  std::uint64_t& count(const Cell& cell);
  Counts counts() const;
  RatingCounts ratings() const;  // of all languages
};

std::string encode_product(const ProductRow& row);
ProductRow decode_product(std::string_view bytes);  // throws std::runtime_error when damaged

Key<20> comment_key(ProductNumber product, const Ulid& id);
Ulid id_at_end(std::string_view key);

// A POST with an Idempotency-Key: its time, the digest of its body, and the comment that it made.
struct OnceRow {
  std::uint64_t time_ms;
  std::array<std::uint8_t, 16> body;
  Ulid id;
  std::string document;  // of the response
};
std::string encode_once(const OnceRow& row);
OnceRow decode_once(std::string_view bytes);  // throws std::runtime_error when damaged
// The key, in a database by time, of the row with this key: of a request, or of a ticket, by its
// end.
std::string by_time_key(std::uint64_t time_ms, std::string_view key);

// The orders of the leaderboard. Their values are part of keys.
enum class LeaderKind : std::uint8_t { five_star = 0, average = 1 };

// Keys of one kind and language sort the best product first, and equal ones by name. Absent: the
// product is not on that leaderboard, because it has no 5-rated comments, or no comments.
std::optional<std::string> leader_key(LeaderKind kind, FacetValue language,
                                      std::string_view product, const RatingCounts& counts);
std::string leader_prefix(LeaderKind kind, FacetValue language);
std::string_view leader_product(std::string_view key);

// How the keys of a customer's comments of a product begin; the id follows. The product "" stands
// for all of them, in the order of their ids.
std::string customer_prefix(const CustomerHash& customer, std::string_view product);
std::string customer_key(const CustomerHash& customer, std::string_view product, const Ulid& id);

using TicketId = std::array<std::uint8_t, 16>;

// A ticket that is used, and the comment that it made.
struct TicketRow {
  std::uint64_t ends_ms;
  Ulid id;
};
inline Key<48> ticket_key(const CustomerHash& customer, const TicketId& ticket) {
  return joined(customer.bytes, ticket);
}
std::string encode_ticket(const TicketRow& row);
// Absent: the row is damaged.
std::optional<TicketRow> decode_ticket(std::string_view bytes);

// A vote: those of a comment lie together, behind the tally, whose key is the id. In `voters` those
// of a customer lie together.
inline Key<48> vote_key(const Ulid& id, const CustomerHash& customer) {
  return joined(id.bytes, customer.bytes);
}
inline Key<48> voter_key(const CustomerHash& customer, const Ulid& id) {
  return joined(customer.bytes, id.bytes);
}
bool is_vote_key(std::string_view key);
Ulid vote_comment(std::string_view key);  // of a tally's key, too
CustomerHash vote_customer(std::string_view key);
std::string encode_vote(Vote vote);
// Absent: the row or its key is damaged.
std::optional<Vote> decode_vote(std::string_view key, std::string_view row);

// What a comment that has votes would have without them.
std::string encode_tally(const Tally& tally);
std::optional<Tally> decode_tally(std::string_view row);  // absent: it is damaged

// What a published comment keeps of its moderation.
std::string encode_moderation(const Moderation& moderation);
Moderation decode_moderation(std::string_view bytes);  // throws lmdb::Damaged
bool is_moderation(std::string_view bytes);

inline Key<32> report_key(const Ulid& id, const std::array<std::uint8_t, 16>& person) {
  return joined(id.bytes, person);
}
Ulid report_comment(std::string_view key);
std::string encode_report(const Report& report);
// Throws lmdb::Damaged when the key or the row is damaged.
Report decode_report(std::string_view key, std::string_view bytes);
bool is_report(std::string_view key, std::string_view bytes);

// In `meta`, of a product that has moved: its value is the successor.
inline constexpr std::string_view successor_prefix = "successor:";
inline std::string successor_key(std::string_view product) {
  return std::string(successor_prefix).append(product);
}

// An event without its mark, which is its key. A row without an event stands for a mark alone.
inline Key<8> event_key(EventMark mark) {
  Key<8> key;
  put_u64(key.bytes.data(), mark);
  return key;
}
std::string encode_event(const Event& event);
std::string encode_mark(std::uint64_t time_ms);
struct EventRow {
  std::uint64_t time_ms;
  std::optional<Event> event;  // absent: the mark stands alone
};
// Throws lmdb::Damaged when the key or the row is damaged.
EventRow decode_event(std::string_view key, std::string_view bytes);
// The id in a row of an event; zeros where it is of none.
std::string_view event_comment(std::string_view bytes);

// The comments of a product that were changed last, the latest first.
std::string encode_revisions(const std::vector<Revision>& revisions);
// Absent: the row is damaged.
std::optional<std::vector<Revision>> decode_revisions(std::string_view bytes);

struct FacetRow {
  FacetNumber number = no_facet;
  FacetStatus::State state = FacetStatus::State::ready;
  Facet facet;
  // While it is built: the key of the last comment that is in it; absent: none is.
  std::optional<Key<20>> built = {};
  // How many comments building has passed; while it is dropped, the product to go on with.
  std::uint64_t passed = 0;
};

Key<2> facet_key(FacetNumber number);
std::string encode_facet(const FacetRow& row);
// Throws std::runtime_error when the key or the row is damaged.
FacetRow decode_facet(std::string_view key, std::string_view bytes);

// The row `schema` in `meta`.
struct SchemaRow {
  std::uint64_t version = 0;  // grows with every change of a facet's row
  FacetNumber next = first_declared_number;
};
std::string encode_schema(const SchemaRow& row);
SchemaRow decode_schema(std::string_view bytes);  // throws std::runtime_error when damaged

}  // namespace quire::embedded
