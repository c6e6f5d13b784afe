// The layout of comments, lists and counts in LMDB.
// Format: docs/formats/store.md. Changing anything here is a new format version.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lmdb/numbers.h"
#include "model/counts.h"
#include "model/facets.h"
#include "model/ratings.h"
#include "quire/ulid.h"

namespace quire::embedded {

using lmdb::get_u32;
using lmdb::get_u64;
using lmdb::put_u32;
using lmdb::put_u64;

inline constexpr std::uint32_t format_version = 3;
inline constexpr std::string_view format_magic = "quire-store";
std::string format_row(std::uint32_t version);

// A block is eight list numbers: 0 for any rating, 1 to 5 for each rating. A product has one block
// for its lists of any language, and one for each of its languages. The number of the first block
// stands for the product in other keys.
using Block = std::uint32_t;
inline constexpr Block max_block = 0x1FFFFFFF;

struct LanguageRow {
  FacetValue language;
  Block block;
  RatingCounts comments;
};

struct ProductRow {
  Block block = 0;
  std::vector<LanguageRow> languages;  // sorted by language

  LanguageRow* find(FacetValue language);
  const LanguageRow* find(FacetValue language) const;
  Counts counts() const;
  RatingCounts ratings() const;  // of all languages
  // The number of a list. Nothing: the product never had such a comment.
  std::optional<std::uint32_t> list_number(const Cell& list) const;
};

std::string encode_product(const ProductRow& row);
ProductRow decode_product(std::string_view bytes);  // throws std::runtime_error when damaged

// A key without an allocation.
template <std::size_t Size>
struct Key {
  std::array<char, Size> bytes;
  operator std::string_view() const { return {bytes.data(), Size}; }
};

Key<20> comment_key(Block product, const Ulid& id);
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
std::string once_by_time_key(std::uint64_t time_ms, std::string_view key);

// The orders of the leaderboard. Their values are part of keys.
enum class LeaderKind : std::uint8_t { five_star = 0, average = 1 };

// Keys of one kind and language sort the best product first, and equal ones by name. Nothing: the
// product is not on that leaderboard, because it has no 5-rated comments, or no comments.
std::optional<std::string> leader_key(LeaderKind kind, FacetValue language,
                                      std::string_view product, const RatingCounts& counts);
std::string leader_prefix(LeaderKind kind, FacetValue language);
std::string_view leader_product(std::string_view key);

}  // namespace quire::embedded
