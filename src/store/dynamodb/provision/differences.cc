// How a table differs from what Quire needs.
#include <fmt/format.h>

#include <algorithm>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {
namespace {

std::vector<Key> strings(std::string_view partition, std::string_view sort) {
  return {{std::string(partition), "S"}, {std::string(sort), "S"}};
}

// "PK (S), SK (S)"
std::string shown(const std::vector<Key>& keys) {
  std::string out;
  for (const auto& [name, type] : keys)
    out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", name, type);
  return out;
}

void compare(const IndexDescription& index, std::string_view partition,
             std::vector<std::string>& out) {
  auto keys = strings(partition, sort_attribute);
  if (index.keys != keys)
    out.push_back(fmt::format("The index {} has the key {}, not {}.", index.name, shown(index.keys),
                              shown(keys)));
  if (index.projection == "ALL") return;
  for (auto name : projected_attributes) {
    if (std::find(index.projected.begin(), index.projected.end(), name) == index.projected.end())
      out.push_back(fmt::format("The index {} does not hold {}.", index.name, name));
  }
}

}  // namespace

std::vector<std::string> differences(const TableDescription& table) {
  std::vector<std::string> out;
  auto keys = strings("PK", "SK");
  if (table.keys != keys)
    out.push_back(fmt::format("Its key is {}, not {}.", shown(table.keys), shown(keys)));
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto index = std::find_if(table.indexes.begin(), table.indexes.end(),
                              [&](const auto& each) { return each.name == indexes[i].name; });
    if (index == table.indexes.end()) {
      out.push_back(fmt::format("The index {} is missing.", indexes[i].name));
    } else {
      compare(*index, partition_attributes[i], out);
    }
  }
  if (table.stream_view.empty()) {
    out.push_back(fmt::format("It has no stream; it needs one of {}.", stream_view));
  } else if (table.stream_view != stream_view) {
    out.push_back(fmt::format("Its stream is of {}, not {}.", table.stream_view, stream_view));
  }
  if (table.expiry && *table.expiry != expiry_attribute) {
    out.push_back(
        table.expiry->empty()
            ? fmt::format("Its items do not expire; they must expire by {}.", expiry_attribute)
            : fmt::format("Its items expire by {}, not {}.", *table.expiry, expiry_attribute));
  }
  return out;
}

}  // namespace quire::dynamodb
