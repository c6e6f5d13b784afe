#include "store/dynamodb/adopted/mapping/record.h"

#include <algorithm>
#include <boost/json.hpp>

namespace quire::adopted {
namespace {

namespace json = boost::json;
using dynamodb::Attribute;
using dynamodb::Type;

json::value value_of(const Attribute& attribute) {
  if (attribute.type == Type::string) return json::value(attribute.text);
  if (attribute.type == Type::number) return dynamodb::plain({{"N", attribute.text}});
  auto object = dynamodb::parse_object(attribute.text);
  return object ? dynamodb::plain(std::move(*object)) : json::value();
}

}  // namespace

bool leads_to(std::string_view path, std::string_view attribute) {
  if (!path.starts_with(attribute)) return false;
  path.remove_prefix(attribute.size());
  return path.empty() || path.front() == '.' || path.front() == '[';
}

Record record_of(const dynamodb::Item& item) {
  Record record;
  for (const auto& [name, attribute] : item) record.members[name] = value_of(attribute);
  return record;
}

Record record_of(const dynamodb::Item& item, const std::set<std::string>& paths) {
  Record record;
  for (const auto& [name, attribute] : item) {
    bool read = std::any_of(
        paths.begin(), paths.end(),
        [name = std::string_view(name)](const auto& path) { return leads_to(path, name); });
    if (read) record.members[name] = value_of(attribute);
  }
  return record;
}

}  // namespace quire::adopted
