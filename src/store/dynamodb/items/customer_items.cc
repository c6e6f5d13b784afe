#include "store/dynamodb/items/customer_items.h"

#include <fmt/format.h>

#include "base/text.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr std::string_view ticket_prefix = "TICKET#", product_attribute = "product";

bool is_of_customer(const Item& item, std::string_view sort_prefix) {
  return text_of(item, "PK").value_or("").starts_with(customer_prefix) &&
         text_of(item, "SK").value_or("").starts_with(sort_prefix);
}

}  // namespace

std::string customer_partition(const CustomerHash& customer) {
  return std::string(customer_prefix) + customer.text();
}

std::optional<CustomerHash> customer_in(const Item& item) {
  auto key = text_of(item, "PK").value_or("");
  if (!key.starts_with(customer_prefix)) return {};
  return CustomerHash::parse(key.substr(customer_prefix.size()));
}

Item customer_comment_key(const CustomerHash& customer, const Ulid& id) {
  return key_of(customer_partition(customer), std::string(comment_prefix) + id.text());
}

Item customer_comment_item(const CustomerHash& customer, const Comment& comment) {
  Item item = customer_comment_key(customer, comment.id);
  item.emplace(product_attribute, string(comment.product));
  return item;
}

bool is_customer_comment(const Item& item) {
  return is_of_customer(item, comment_prefix);
}

std::optional<Ulid> comment_in_key(const Item& item) {
  auto key = text_of(item, "SK").value_or("");
  if (!key.starts_with(comment_prefix)) return {};
  return Ulid::parse(key.substr(comment_prefix.size()));
}

std::optional<std::string_view> product_named(const Item& item) {
  return text_of(item, product_attribute);
}

Item customer_product_key(const CustomerHash& customer, std::string_view product) {
  return key_of(customer_partition(customer),
                std::string(product_prefix) + percent_encode(product));
}

Item customer_product_item(const CustomerHash& customer, const Comment& comment) {
  Item item = customer_product_key(customer, comment.product);
  item.emplace(named_attribute, string(comment.id.text()));
  return item;
}

bool is_customer_product(const Item& item) {
  return is_of_customer(item, product_prefix);
}

Item ticket_key(const CustomerHash& customer, const std::array<std::uint8_t, 16>& ticket) {
  std::string sort(ticket_prefix);
  for (auto byte : ticket) sort += fmt::format("{:02x}", byte);
  return key_of(customer_partition(customer), std::move(sort));
}

Item ticket_item(const CustomerHash& customer, const std::array<std::uint8_t, 16>& ticket,
                 std::uint64_t ends_ms, const Ulid& comment) {
  Item item = ticket_key(customer, ticket);
  item.emplace(named_attribute, string(comment.text()));
  item.emplace("expires", number((ends_ms + 999) / 1000));
  return item;
}

bool is_ticket(const Item& item) {
  return is_of_customer(item, ticket_prefix);
}

std::optional<Ulid> comment_named(const Item& item) {
  return Ulid::parse(text_of(item, named_attribute).value_or(""));
}

}  // namespace quire::dynamodb
