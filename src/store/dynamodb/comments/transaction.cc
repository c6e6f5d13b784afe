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
    Item item = comment_item(*write.after);
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

std::string product_of(const CommentWrite& write) {
  return write.after ? write.after->product : before_of(write).value().product;
}

Expression unused_key(std::uint64_t now_s) {
  return {"attribute_not_exists(#k) OR #e <= :now",
          {{"#k", "PK"}, {"#e", "expires"}},
          {{":now", number(now_s)}}};
}

Transaction transaction_of(std::span<const CommentWrite> writes, const KnownTotals& totals,
                           std::size_t leader_shards, const std::optional<Item>& key,
                           std::uint64_t now_s) {
  Transaction out;
  StatisticsDelta delta(totals, leader_shards);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    out.actions.push_back(action_of(writes[i]));
    out.about.push_back({Transaction::About::What::write, i});
    delta.move(product_of(writes[i]), cell_of(before_of(writes[i])), cell_of(writes[i].after));
  }
  for (auto& action : delta.actions()) {
    out.actions.push_back(std::move(action));
    out.about.push_back({Transaction::About::What::statistics});
  }
  out.totals = delta.totals();
  if (!key) return out;
  out.actions.push_back({What::put, *key, unused_key(now_s)});
  out.about.push_back({Transaction::About::What::key});
  return out;
}

}  // namespace quire::dynamodb
