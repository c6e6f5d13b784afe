#include "store/dynamodb/transaction.h"

#include "store/dynamodb/reading.h"

namespace quire::dynamodb {
namespace {

using What = Action::What;
using About = Transaction::About;

const std::array<std::string, 3> comment_attributes = {"data", "language", "rating"};
std::optional<Cell> cell_of(const std::optional<Comment>& comment) {
  if (!comment) return {};
  return cell(comment->language, comment->rating);
}

std::optional<Comment> before_of(const Change& change) {
  return change.before ? comment_of(*change.before) : std::nullopt;
}

}  // namespace

Action action_of(const Change& change) {
  Expression condition = change.before ? unchanged(*change.before, comment_attributes) : absent();
  if (change.after) {
    Item item = comment_item(*change.after);
    if (!change.once.empty()) item.emplace(once_attribute, string(change.once));
    if (change.before) item.insert(change.before->begin(), change.before->end());
    return {What::put, std::move(item), condition};
  }
  return {What::remove, key_of(change.before->at("PK").text, change.before->at("SK").text),
          condition};
}

bool moves(const Change& change) {
  return cell_of(before_of(change)) != cell_of(change.after);
}

std::string product_of(const Change& change) {
  return change.after ? change.after->product : before_of(change).value().product;
}

Expression unused_key(std::uint64_t now_s) {
  return {"attribute_not_exists(#k) OR #e <= :now",
          {{"#k", "PK"}, {"#e", "expires"}},
          {{":now", number(now_s)}}};
}

Transaction transaction_of(std::span<const Change> changes, const KnownTotals& totals,
                           std::size_t leader_shards, const std::optional<Item>& key,
                           std::uint64_t now_s) {
  Transaction out;
  Tally tally(totals, leader_shards);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    out.actions.push_back(action_of(changes[i]));
    out.about.push_back({About::What::change, i});
    tally.move(product_of(changes[i]), cell_of(before_of(changes[i])), cell_of(changes[i].after));
  }
  for (auto& action : tally.actions()) {
    out.actions.push_back(std::move(action));
    out.about.push_back({About::What::statistics});
  }
  out.totals = tally.totals();
  if (!key) return out;
  out.actions.push_back({What::put, *key, unused_key(now_s)});
  out.about.push_back({About::What::key});
  return out;
}

}  // namespace quire::dynamodb
