#include "store/dynamodb/items/customer_items.h"

#include <boost/json.hpp>

#include "base/text.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

constexpr std::string_view ticket_prefix = "TICKET#", product_attribute = "product";

bool is_of_customer(const Item& item, std::string_view sort_prefix) {
  return text_of(item, "PK").value_or("").starts_with(customer_prefix) &&
         text_of(item, "SK").value_or("").starts_with(sort_prefix);
}

constexpr std::string_view sweep_sort = "SWEEP";

Item in_partition(const Ulid& id, std::string sort) {
  return key_of(std::string(comment_prefix) + id.text(), std::move(sort));
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
  return key_of(customer_partition(customer), std::string(ticket_prefix) + hex(ticket));
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

Item vote_key(const Ulid& id, const CustomerHash& customer) {
  return in_partition(id, std::string(vote_prefix) + customer.text());
}

Item vote_item(const Ulid& id, const CustomerHash& customer, Vote vote) {
  Item item = vote_key(id, customer);
  item.emplace(vote_attribute, string(std::string(vote_name(vote))));
  item.emplace(queue_attribute, string(customer_partition(customer)));
  item.emplace(sort_attribute, string(id.text()));
  return item;
}

bool is_vote(const Item& item) {
  return comment_of_partition(item) && text_of(item, "SK").value_or("").starts_with(vote_prefix);
}

std::optional<Vote> read_vote(const Item& item) {
  return parse_vote(text_of(item, vote_attribute).value_or(""));
}

std::optional<Ulid> comment_of_partition(const Item& item) {
  auto key = text_of(item, "PK").value_or("");
  if (!key.starts_with(comment_prefix)) return {};
  return Ulid::parse(key.substr(comment_prefix.size()));
}

Item votes_key(const std::string& partition) {
  return key_of(partition, std::string(vote_prefix));
}

Item sweep_key(const Ulid& id) {
  return in_partition(id, std::string(sweep_sort));
}

Item sweep_item(const Ulid& id) {
  Item item = sweep_key(id);
  item.emplace(queue_attribute, string(std::string(sweep_partition)));
  item.emplace(sort_attribute, string(id.text()));
  return item;
}

std::string encode_tally(const Tally& tally) {
  json::object out;
  if (tally.helpful) out["helpful"] = *tally.helpful;
  if (tally.unhelpful) out["unhelpful"] = *tally.unhelpful;
  return json::serialize(out);
}

std::optional<Tally> unvoted_in(const Item& item) {
  boost::system::error_code no_json;
  auto parsed = json::parse(text_of(item, unvoted_attribute).value_or(""), no_json);
  const auto* object = no_json ? nullptr : parsed.if_object();
  if (!object) return {};
  Tally tally;
  for (const auto& [name, value] : *object) {
    auto vote = parse_vote(name);
    if (!vote || !value.is_int64()) return {};
    tally.of(*vote) = value.get_int64();
  }
  return tally;
}

}  // namespace quire::dynamodb
