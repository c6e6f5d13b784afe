#include "store/dynamodb/comments/transaction.h"

#include <algorithm>

#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

namespace {

using Kind = Action::Kind;

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

const std::array<std::string, 3> comment_attributes = {"data", "language", "rating"};
// Absent: the comment is on no list.
std::optional<Cell> cell_of(const std::optional<Comment>& comment) {
  if (!comment || !comment->published()) return {};
  return cell(comment->language, comment->rating);
}

std::optional<Comment> before_of(const CommentWrite& write) {
  return write.before ? comment_of(*write.before) : std::nullopt;
}

// The languages whose statistics the write may change, one or two.
std::set<std::string> languages_of(const CommentWrite& write) {
  std::set<std::string> languages;
  if (auto before = before_of(write)) languages.insert(before->language);
  if (write.after) languages.insert(write.after->language);
  return languages;
}

}  // namespace

Room::Room(const CommentWrite& write) : keys_{partition_of(write)}, products_{product_of(write)} {
  for (auto& language : languages_of(write)) languages_.emplace(*products_.begin(), language);
  // A replaced item is part of the condition, and its other attributes are written again.
  if (write.before) bytes_ += billed_bytes(*write.before);
  if (write.after) bytes_ += billed_bytes(comment_item(*write.after));
  for (const auto& action : write.beside) {
    keys_.insert(action.item.at("PK").text + ' ' + action.item.at("SK").text);
    bytes_ += billed_bytes(action.item);
  }
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

Action action_of(const CommentWrite& write) {
  Expression condition = write.before ? unchanged(*write.before, comment_attributes) : absent();
  bool kept_id = write.before && write.before->contains(removed_attribute);
  bool keeps_id = write.keeps_id.value_or(kept_id);
  if (write.after) {
    Item item = comment_item(*write.after, write.parts, write.before ? &*write.before : nullptr);
    if (!write.once.empty()) item.emplace(once_attribute, string(write.once));
    Item kept = write.before.value_or(Item());
    for (auto attribute : partition_attributes) kept.erase(std::string(attribute));
    if (write.unvoted) kept.erase(std::string(unvoted_attribute));
    if (write.unvoted && !write.unvoted->empty())
      item.emplace(unvoted_attribute, string(*write.unvoted));
    kept.erase(std::string(removed_attribute));
    if (keeps_id) item.emplace(removed_attribute, number(1));
    item.merge(kept);
    return {Kind::put, std::move(item), condition};
  }
  Item key = key_in(*write.before);
  if (!keeps_id) return {Kind::remove, std::move(key), condition};
  key.emplace(removed_attribute, number(1));
  return {Kind::put, std::move(key), condition};
}

bool moves_comment(const CommentWrite& write) {
  return cell_of(before_of(write)) != cell_of(write.after);
}

bool removes_damaged(const CommentWrite& write) {
  return !write.after && !before_of(write);
}

std::string product_of(const CommentWrite& write) {
  return write.after ? write.after->product : before_of(write).value().product;
}

Expression unused_key(std::uint64_t now_s) {
  return {"attribute_not_exists(#k) OR #e <= :now",
          {{"#k", "PK"}, {"#e", "expires"}},
          {{":now", number(now_s)}}};
}

Transaction transaction_of(std::span<const CommentWrite* const> writes, const KnownTotals& totals,
                           std::size_t leader_shards, std::span<const KeyPut* const> keys) {
  Transaction out;
  StatisticsDelta delta(totals, leader_shards);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto& write = *writes[i];
    out.actions.push_back(action_of(write));
    out.about.push_back({Transaction::About::Kind::write, i});
    for (const auto& beside : write.beside) {
      out.actions.push_back(beside);
      out.about.push_back({Transaction::About::Kind::beside, i});
    }
    delta.move(product_of(write), cell_of(before_of(write)), cell_of(write.after));
  }
  for (auto& action : delta.actions()) {
    out.actions.push_back(std::move(action));
    out.about.push_back({Transaction::About::Kind::statistics});
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    out.actions.push_back({Kind::put, keys[i]->item, unused_key(keys[i]->now_s)});
    out.about.push_back({Transaction::About::Kind::key, i});
  }
  out.totals = delta.totals();
  return out;
}

}  // namespace quire::dynamodb
