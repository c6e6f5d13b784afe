#include "store/dynamodb/items/facts_item.h"

#include "base/text.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr std::string_view facts_sort = "FACTS", facts_attribute = "facts";

}  // namespace

Item facts_key(std::string_view product) {
  return key_of(std::string(product_prefix) + percent_encode(product), std::string(facts_sort));
}

Item facts_item(const NamedFacts& named) {
  Item item = facts_key(named.product);
  item.emplace(partition_attributes[0], string(std::string(facts_partition)));
  item.emplace(sort_attribute, string(named.product));
  item.emplace(facts_attribute, string(encode_facts(named.facts)));
  return item;
}

bool is_facts(const Item& item) {
  return text_of(item, "PK").value_or("").starts_with(product_prefix) &&
         text_of(item, "SK") == facts_sort && !item.contains(aside_attribute);
}

std::optional<NamedFacts> facts_in(const Item& item) {
  auto product = product_in(item);
  if (!product || text_of(item, "SK") != facts_sort) return {};
  auto facts = decode_facts(text_of(item, facts_attribute).value_or(""));
  if (!facts) return {};
  return NamedFacts{std::move(*product), std::move(*facts)};
}

Item facts_start(const std::string& product) {
  Item start = facts_key(product);
  start.emplace(partition_attributes[0], string(std::string(facts_partition)));
  start.emplace(sort_attribute, string(product));
  return start;
}

}  // namespace quire::dynamodb
