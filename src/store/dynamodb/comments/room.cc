#include "store/dynamodb/comments/room.h"

#include <algorithm>

namespace quire::dynamodb {
namespace {

// Actions of a transaction, at most: statistics, an average and a row in the registry.
constexpr std::size_t per_product = 3;
constexpr std::size_t per_language = 2;  // statistics and an average

std::string partition_of(const CommentWrite& write) {
  return write.before ? write.before->at("PK").text : comment_key(write.after->id).at("PK").text;
}

template <class T>
std::size_t united(const std::set<T>& one, const std::set<T>& other) {
  auto both = one.size();
  for (const auto& each : other) both += one.contains(each) ? 0 : 1;
  return both;
}

}  // namespace

Room::Room(const CommentWrite& write) : keys_{partition_of(write)}, products_{product_of(write)} {
  for (auto& language : languages_of(write)) languages_.emplace(*products_.begin(), language);
  // A replaced item is part of the condition, and its other attributes are written again.
  if (write.before) bytes_ += billed_bytes(*write.before);
  if (write.after) bytes_ += billed_bytes(comment_item(*write.after));
}

Room::Room(const Item& key) : keys_{key.at("PK").text}, bytes_(billed_bytes(key)) {}

bool Room::fits(const Room& more, std::size_t actions) const {
  bool twice = std::any_of(more.keys_.begin(), more.keys_.end(),
                           [&](const std::string& key) { return keys_.contains(key); });
  auto both = keys_.size() + more.keys_.size() + per_product * united(products_, more.products_) +
              per_language * united(languages_, more.languages_);
  return !twice && both <= actions && bytes_ + more.bytes_ <= max_transaction_bytes;
}

void Room::add(const Room& more) {
  keys_.insert(more.keys_.begin(), more.keys_.end());
  products_.insert(more.products_.begin(), more.products_.end());
  languages_.insert(more.languages_.begin(), more.languages_.end());
  bytes_ += more.bytes_;
}

}  // namespace quire::dynamodb
