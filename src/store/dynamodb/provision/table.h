// The table itself: the calls that create and describe it, and how an existing table differs from
// what Quire needs. Its items are in items/layout.h.
#pragma once

#include <array>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/calls.h"

namespace quire::dynamodb {

// What an index holds beside its keys, so that a page can be read from the index alone.
inline constexpr std::array<std::string_view, 3> projected_attributes = {"language", "rating",
                                                                         "data"};
// The attribute with an item's time of expiry, in seconds since 1970. Idempotency keys have it.
inline constexpr std::string_view expiry_attribute = "expires";
// The images that the projection needs in the stream's records.
inline constexpr std::string_view stream_view = "NEW_AND_OLD_IMAGES";

// The capacity of the table and of each index. Both 0: on demand, paid per request.
struct TableOptions {
  std::uint64_t read_units = 0;
  std::uint64_t write_units = 0;
};

// Keys and indexes, in the form that CreateTable and CloudFormation share. `throughput`: of the
// table and of each index; null: it is left out.
boost::json::object definition(const boost::json::value& throughput);

Call create_table(const std::string& name, const TableOptions& options);
Call describe_table(const std::string& name);
Call describe_expiry(const std::string& name);
Call enable_expiry(const std::string& name);

struct Key {
  std::string name;
  std::string type;  // "S"

  friend bool operator==(const Key&, const Key&) = default;
};

struct IndexDescription {
  std::string name;
  std::string status;                       // "ACTIVE"
  std::vector<Key> keys = {};               // partition, then sort
  std::string projection = {};              // "INCLUDE"
  std::vector<std::string> projected = {};  // attributes beside the keys
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
};

struct TableDescription {
  std::string status;       // "ACTIVE"
  std::vector<Key> keys;    // partition, then sort
  std::uint64_t items = 0;  // the service counts them every six hours
  std::uint64_t bytes = 0;
  bool on_demand = false;
  std::uint64_t read_units = 0;
  std::uint64_t write_units = 0;
  std::string stream = {};       // its ARN; empty: it is off
  std::string stream_view = {};  // "NEW_AND_OLD_IMAGES"
  // When the table was made, as the service writes it; empty: it does not tell. A table that is
  // restored, or made again, under the same name has another time.
  std::string created = {};
  std::vector<IndexDescription> indexes = {};
  // The attribute by which items expire; empty: items do not expire; absent: it is not known.
  std::optional<std::string> expiry = {};

  // Whether the table and its indexes are ready.
  bool active() const;
};

// Decodes an answer to describe_table(): all but `expiry`. Nothing if the body is not one.
std::optional<TableDescription> decode_table(std::string_view body);
// Decodes an answer to describe_expiry(): the attribute; empty: items do not expire.
std::optional<std::string> decode_expiry(std::string_view body);

// A sentence per difference between the table and what Quire needs. More indexes or attributes than
// Quire needs are no difference.
std::vector<std::string> differences(const TableDescription& table);

// A table that was created or found.
struct TableStatus {
  std::string name;
  TableDescription table;
  bool created = false;                       // just now
  std::vector<std::string> differences = {};  // sentences: what Quire needs otherwise
  std::vector<std::string> notes = {};        // sentences for the operator
};

}  // namespace quire::dynamodb
