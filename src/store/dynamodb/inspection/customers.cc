// Each comment of a customer has a row in the customer's partition, and each such row a comment.
#include <boost/json.hpp>

#include "store/dynamodb/access/access.h"
#include "store/dynamodb/inspection/inspection.h"
#include "store/dynamodb/items/conditions.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

// A scan meets comments and rows in any order, so many may wait for the other.
constexpr std::size_t max_alone = 1'000'000;

std::string quoted_key(const Item& key) {
  return boost::json::serialize(boost::json::string(key.at("PK").text + " " + key.at("SK").text));
}

}  // namespace

void Inspection::look_at_customer(const Item& item) {
  std::optional<CustomerHash> customer;
  std::optional<Ulid> id;
  auto seen = Seen::row;
  if (is_customer_comment(item)) {
    customer = customer_in(item);
    id = comment_in_key(item);
    if (customer && last_.first != *customer) last_ = {*customer, {}};
    if (id && last_.second.size() < max_alone) last_.second.insert(*id);
  } else if (is_customer_product(item)) {
    auto named = comment_named(item);
    if (customer_in(item) != last_.first || !named || !last_.second.contains(*named))
      add(key_in(item));
  } else if (is_comment(item) && item.contains("data") &&
             item.at("data").text.find("customer") != std::string::npos) {
    auto comment = comment_of(item);
    if (comment) customer = comment->customer;
    if (comment) id = comment->id;
    seen = Seen::comment;
  }
  if (!customer || !id) return;
  auto at = alone_.find({*customer, *id});
  if (at != alone_.end() && at->second != seen) {
    alone_.erase(at);
  } else if (alone_.size() < max_alone) {
    alone_.try_emplace({*customer, *id}, seen);
  } else {
    more_ = true;
  }
}

Awaitable<Result<std::optional<Flaw>>> Inspection::flaw_of_customer(
    const Item& key, const std::optional<Item>& row) {
  using Found = std::optional<Flaw>;
  auto nameless = row ? flaw_of(*row) : Found();
  if (nameless) co_return nameless;
  auto customer = customer_in(key);
  auto id = comment_in_key(key);
  if (!customer || !id) co_return Found();
  auto there = co_await access_.loop.run(access_.client.get(comment_key(*id)));
  if (!there) co_return there.error();
  auto comment = there->item ? comment_of(*there->item) : std::nullopt;
  bool written = comment && comment->customer == customer;
  if (written == row.has_value()) co_return Found();
  Flaw flaw;
  if (written) {
    flaw.sentence = "Comment " + id->text() + " is not among its customer's comments.";
    flaw.change = {"SET #p = :p", {{"#p", "product"}}, {{":p", string(comment->product)}}};
    flaw.condition = absent();
  } else {
    flaw.sentence =
        "Item " + quoted_key(key) + " names a comment that is gone, or is not this customer's.";
    flaw.condition = {"#p = :p", {{"#p", "product"}}, {{":p", row->at("product")}}};
    flaw.removes = true;
  }
  co_return Found(std::move(flaw));
}

Awaitable<Result<std::optional<Flaw>>> Inspection::flaw_of_only(const Item& row) {
  using Found = std::optional<Flaw>;
  auto there = co_await access_.loop.run(access_.client.get(comment_key(*comment_named(row))));
  if (!there) co_return there.error();
  auto comment = there->item ? comment_of(*there->item) : std::nullopt;
  if (comment && comment->customer == customer_in(row)) co_return Found();
  Flaw flaw;
  flaw.sentence =
      "Item " + quoted_key(row) + " names a comment that is gone, or is not this customer's.";
  flaw.condition = {"#c = :c",
                    {{"#c", std::string(named_attribute)}},
                    {{":c", row.at(std::string(named_attribute))}}};
  flaw.removes = true;
  co_return Found(std::move(flaw));
}

}  // namespace quire::dynamodb
