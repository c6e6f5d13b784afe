// The calls that make and describe the table, and how one that is there differs from what Quire
// needs. What lies in it is layout.h's.
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

// What an index has beside its keys, so that a page is read from it alone.
inline constexpr std::array<std::string_view, 3> projected_attributes = {"language", "rating",
                                                                         "data"};
// An item's time of expiry, in seconds since 1970. Idempotency keys have one.
inline constexpr std::string_view expiry_attribute = "expires";
// What the projection needs of the stream.
inline constexpr std::string_view stream_view = "NEW_AND_OLD_IMAGES";

// Of the table and of each index. Both 0: paid by the request.
struct TableOptions {
  std::uint64_t read_units = 0;
  std::uint64_t write_units = 0;
};

// Keys and indexes, as CreateTable and CloudFormation both take them. `throughput`: of the table
// and of each index; null: none is said.
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
  std::vector<std::string> projected = {};  // beside the keys
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
};

struct TableDescription {
  std::string status;       // "ACTIVE"
  std::vector<Key> keys;    // partition, then sort
  std::uint64_t items = 0;  // the service counts every six hours
  std::uint64_t bytes = 0;
  bool on_demand = false;
  std::uint64_t read_units = 0;
  std::uint64_t write_units = 0;
  std::string stream = {};       // its ARN; empty: it is off
  std::string stream_view = {};  // "NEW_AND_OLD_IMAGES"
  std::vector<IndexDescription> indexes = {};
  // The attribute by which items expire; empty: they do not; nothing: it is not known.
  std::optional<std::string> expiry = {};

  // The table and its indexes are ready.
  bool active() const;
};

// Of describe_table: all but `expiry`. Nothing if the body is none of its answers.
std::optional<TableDescription> decode_table(std::string_view body);
// Of describe_expiry: the attribute, empty for none.
std::optional<std::string> decode_expiry(std::string_view body);

// A sentence for each way in which the table is not as Quire needs it. That there is more than
// Quire needs is none.
std::vector<std::string> differences(const TableDescription& table);

// A table as it was made or found.
struct TableStatus {
  std::string name;
  TableDescription table;
  bool created = false;                 // just now
  std::vector<std::string> notes = {};  // what else to know, a sentence each
};

}  // namespace quire::dynamodb
