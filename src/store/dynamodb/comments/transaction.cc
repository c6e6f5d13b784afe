#include "store/dynamodb/comments/transaction.h"

#include "store/dynamodb/items/conditions.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

using What = Action::What;

const std::array<std::string, 3> comment_attributes = {"data", "language", "rating"};
std::optional<Cell> cell_of(const std::optional<Comment>& comment) {
  if (!comment) return {};
  return cell(comment->language, comment->rating);
}

std::optional<Comment> before_of(const CommentWrite& write) {
  return write.before ? comment_of(*write.before) : std::nullopt;
}

}  // namespace

Action action_of(const CommentWrite& write) {
  Expression condition = write.before ? unchanged(*write.before, comment_attributes) : absent();
  if (write.after) {
    Item item = comment_item(*write.after, write.parts, write.before ? &*write.before : nullptr);
    if (!write.once.empty()) item.emplace(once_attribute, string(write.once));
    if (write.before) item.insert(write.before->begin(), write.before->end());
    return {What::put, std::move(item), condition};
  }
  return {What::remove, key_of(write.before->at("PK").text, write.before->at("SK").text),
          condition};
}

bool moves_comment(const CommentWrite& write) {
  return cell_of(before_of(write)) != cell_of(write.after);
}

std::set<std::string> languages_of(const CommentWrite& write) {
  std::set<std::string> languages;
  if (auto before = before_of(write)) languages.insert(before->language);
  if (write.after) languages.insert(write.after->language);
  return languages;
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
    out.about.push_back({Transaction::About::What::write, i});
    delta.move(product_of(write), cell_of(before_of(write)), cell_of(write.after));
  }
  for (auto& action : delta.actions()) {
    out.actions.push_back(std::move(action));
    out.about.push_back({Transaction::About::What::statistics});
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    out.actions.push_back({What::put, keys[i]->item, unused_key(keys[i]->now_s)});
    out.about.push_back({Transaction::About::What::key, i});
  }
  out.totals = delta.totals();
  return out;
}

}  // namespace quire::dynamodb
