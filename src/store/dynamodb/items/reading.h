// Reads comments out of items. Other programs may write items too, so each attribute is checked
// first. The rules: docs/formats/table.md. Nothing here sends anything.
#pragma once

#include <boost/json/value.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dynamodb/item.h"
#include "model/facets.h"
#include "quire/comment.h"
#include "quire/result.h"

namespace quire::dynamodb {

// A damaged item: its place is that of a comment or a product, and it is no valid one.
struct Damage {
  std::string key;     // its PK, and its SK where that is another
  std::string reason;  // a sentence
};

// The undecoded value of a comment's attribute. It refers to the JSON or item it came from.
struct RawValue {
  enum class Kind { absent, string, number, map, other } kind = Kind::absent;
  std::string_view text = {};                // of a string or number
  const boost::json::object* map = nullptr;  // of a map: typed values by name
};

// A comment's language, rating, texts and status. The views refer to the raw values, or to the
// members below them.
struct CommentFields {
  std::string_view language;
  Cell cell;
  std::string_view author, title, text;
  Attributes attributes;
  Media media;
  std::optional<quire::Reply> reply;
  Moderation moderation;
  std::optional<CustomerHash> customer;
  std::string product;                   // that `data` names; index keys go before it
  boost::json::value parsed;             // in the caller's memory, if it gave some
  std::array<std::string, 3> rewritten;  // texts without their carriage returns
  std::string canonical;                 // the language, where its attribute has another form
};

// Fills `fields` and returns nothing; or returns a sentence that says why the values are no valid
// comment.
std::string_view parse_fields(const RawValue& language, const RawValue& rating,
                              const RawValue& data, CommentFields& fields,
                              boost::json::storage_ptr memory = {});

// Reads the id in a comment's key or sort key. Fills `id` and returns nothing; or returns the
// reason why it is no valid id.
std::string_view parse_id(std::string_view text, Ulid& id);

// How the keys of comments, and the keys of products and their lists, begin.
inline constexpr std::string_view comment_prefix = "COMMENT#";
inline constexpr std::string_view product_prefix = "PRODUCT#";

// Whether the item has a comment's key, was not set aside, and is not what a removed comment left;
// it may be damaged.
bool is_comment(const Item& item);
// Whether the item is what a removed comment left.
bool is_removed(const Item& item);
// Whether an index has the item in a list of comments, or in a queue.
bool is_listed(const Item& item);

// A comment read from an item, or the reason why there is none.
struct CommentReading {
  std::optional<Comment> comment = {};
  // Why the item is damaged; empty: it is a comment, or another kind of item.
  std::string reason = {};
};
// Reads an item of the table or of an index, whatever the comment's status. The key gives the id;
// attributes give language, rating, texts and status; the first index key that names a product
// gives it, GSI4PK before the others, and where none does, `data`.
CommentReading read_comment(const Item& item);
// Nothing if the item is no comment, or a damaged one.
std::optional<Comment> comment_of(const Item& item);

// Nothing if the item is no comment, or a valid one.
std::optional<Damage> damage_of(const Item& item);
// Of an item of the registry of products, or of a leaderboard, that names no valid product; its key
// is PK and SK. Nothing if the item is another, or was set aside.
std::optional<Damage> misnamed(const Item& item);

// Counts damaged items as they are read, and logs each at most once an hour. Thread-safe.
class DamagedItems {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours silence{1};
  // Only this many keys are logged in an hour. All damaged items are counted.
  static constexpr std::size_t max_keys = 1000;

  // Counts an item that is left out of an answer, and logs it if due.
  void note(const Damage& damage);
  // The items left out since the start, each as often as it was read.
  std::uint64_t total() const { return total_; }
  // What total() is called in metrics.
  static constexpr const char* counter = "quire_table_damaged_items_total";
  static constexpr const char* counter_help =
      "Damaged items left out, each as often as it was read";

  // Whether the item is to be logged now. True counts as having logged it.
  bool due(const std::string& key, Time now);

 private:
  std::atomic<std::uint64_t> total_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::string, Time> logged_;
};

// A line for people. The key is quoted, as it may hold any bytes.
std::string shown(const Damage& damage);

// The error when an answer of the table cannot be decoded.
Error damaged_answer();

// The error when a write was refused each time that it was tried.
Error busy_comment();

// The error when a caller names a damaged comment.
Error damaged_comment();

}  // namespace quire::dynamodb
