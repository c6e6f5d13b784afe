#include "store/dynamodb/comments/commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "loop/loop.h"
#include "store/dynamodb/items/bounds.h"

namespace quire::dynamodb {
namespace {

using About = Transaction::About;

// The service applies transactions of the same token once within ten minutes.
std::string make_token() {
  return Ulid::make(system_ms(), system_entropy()).text();
}

std::set<std::string> products_of(const std::vector<CommentWrite>& writes) {
  std::set<std::string> products;
  for (const auto& write : writes) products.insert(product_of(write));
  return products;
}

bool worth_another_round(const Answer& answer) {
  // A transaction that may still be under way must not be sent under another token.
  return answer.failure->kind == Kind::condition ||
         (answer.failure->kind == Kind::conflict && !answer.unclear);
}

Error too_busy() {
  return {ErrorCode::unavailable,
          "Too many writes to the same product are waiting. Try again in a moment."};
}

}  // namespace

// The right to write to a product, held by one caller at a time.
struct Commits::ProductLock {
  std::map<std::string, Gate>* gates;
  std::map<std::string, Gate>::iterator at;
  Gate::Pass pass;

  ProductLock(std::map<std::string, Gate>* gates, std::map<std::string, Gate>::iterator at,
              Gate::Pass pass)
      : gates(gates), at(at), pass(std::move(pass)) {}
  ProductLock(ProductLock&& other) noexcept
      : gates(std::exchange(other.gates, nullptr)), at(other.at), pass(std::move(other.pass)) {}
  ~ProductLock() {
    if (!gates) return;
    { Gate::Pass leaving(std::move(pass)); }
    if (at->second.idle()) gates->erase(at);
  }
};

// The writes still to be made, and the outcome of all.
class Commits::Round {
 public:
  explicit Round(std::vector<CommentWrite> writes) : writes_(std::move(writes)) {
    for (std::size_t i = 0; i < writes_.size(); ++i) indices_.push_back(i);
    outcome_.made.resize(writes_.size());
  }

  const std::vector<CommentWrite>& left() const { return writes_; }

  Outcome succeed() {
    for (auto index : indices_) outcome_.made[index] = true;
    return outcome_;
  }

  // Drops the writes that were refused for good. Returns whether the statistics were other than
  // expected.
  bool refuse(const Transaction& transaction, const Failure& failure) {
    bool outdated = false;
    for (std::size_t i = transaction.about.size(); i-- > 0;) {
      if (!failure.refused(i)) continue;
      const About& about = transaction.about[i];
      if (about.what == About::What::statistics) outdated = true;
      if (about.what == About::What::key) outcome_.known_key = true;
      if (about.what == About::What::write) erase(about.write);
    }
    return outdated;
  }

  std::optional<Outcome> done() const {
    if (outcome_.known_key || writes_.empty()) return outcome_;
    return {};
  }

 private:
  void erase(std::size_t i) {
    writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(i));
    indices_.erase(indices_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  std::vector<CommentWrite> writes_;
  std::vector<std::size_t> indices_;  // of these writes among all
  Outcome outcome_;
};

Awaitable<Result<Outcome>> Commits::make(std::vector<CommentWrite> writes, std::optional<Item> key,
                                         std::uint64_t now_s) {
  std::set<std::string> products;  // whose lists get comments
  for (const auto& write : writes)
    if (write.after) products.insert(write.after->product);
  bool together = by_write() && (key || std::any_of(writes.begin(), writes.end(), moves_comment));
  Result<Outcome> outcome = Outcome{};
  if (together)
    outcome = co_await make_together(std::move(writes), std::move(key), now_s);
  else
    outcome = co_await make_each(std::move(writes));
  // Also after an error: the table may have the comments.
  for (const auto& product : products) empty_lists_.note_write(product);
  co_return outcome;
}

Awaitable<Result<Outcome>> Commits::make_each(std::vector<CommentWrite> writes) {
  Outcome outcome;
  for (auto next = writes.begin(); next != writes.end();) {
    std::vector<Awaitable<Result<bool>>> works;
    for (; next != writes.end() && works.size() < max_concurrent; ++next)
      works.push_back(make_alone(std::move(*next)));
    auto results = co_await all(std::move(works));
    for (const auto& result : results) {
      if (!result) co_return result.error();
      outcome.made.push_back(*result);
    }
  }
  co_return outcome;
}

Awaitable<Result<Outcome>> Commits::make_together(std::vector<CommentWrite> writes,
                                                  std::optional<Item> key, std::uint64_t now_s) {
  Deadline deadline = std::chrono::steady_clock::now() + patience;
  std::vector<ProductLock> locks;
  auto products = products_of(writes);
  for (const auto& product :
       products) {  // in the same order everywhere, so that no deadlock arises
    auto refused = co_await lock(product, deadline, locks);
    if (refused) co_return std::move(*refused);
  }
  Round round(std::move(writes));
  bool outdated = false;
  for (int i = 0; i < max_rounds && std::chrono::steady_clock::now() < deadline; ++i) {
    auto totals = co_await totals_for(round.left(), outdated);
    if (!totals) co_return totals.error();
    auto transaction = transaction_of(round.left(), *totals, leader_shards_, key, now_s);
    auto call = transact(client_.table(), transaction.actions, make_token());
    auto answer = co_await client_.send(std::move(call));
    if (!answer.failure) {
      for (auto& [product, after] : transaction.totals) totals_.put(product, std::move(after));
      co_return round.succeed();
    }
    for (const auto& [product, unused] : *totals) totals_.forget(product);
    if (!worth_another_round(answer)) co_return error_of(*answer.failure);
    outdated = round.refuse(transaction, *answer.failure) || answer.failure->kind == Kind::conflict;
    if (auto done = round.done()) co_return *done;
    co_await client_.pause(i);
  }
  co_return too_busy();
}

Awaitable<std::optional<Error>> Commits::lock(const std::string& product, Deadline deadline,
                                              std::vector<ProductLock>& locks) {
  auto at = gates_.try_emplace(product, context_, 1, max_waiting).first;
  auto pass = co_await at->second.enter(deadline);
  if (!pass) co_return too_busy();
  locks.emplace_back(&gates_, at, std::move(pass));
  co_return std::nullopt;
}

Awaitable<Result<KnownTotals>> Commits::totals_for(const std::vector<CommentWrite>& writes,
                                                   bool fresh) {
  KnownTotals out;
  auto products = products_of(writes);
  for (const auto& product : products) {
    // Not as one conditional expression: g++ 12 then ends the result's life too early.
    Result<TotalsCache::Known> known = TotalsCache::Known{};
    if (fresh)
      known = co_await totals_.fetch(product);
    else
      known = co_await totals_.known(product);
    if (!known) co_return known.error();
    out.emplace(product, std::move(known->totals));
  }
  co_return out;
}

// If the condition fails after an unclear try, that try may have been applied.
Awaitable<Result<bool>> Commits::make_alone(CommentWrite write) {
  Action action = action_of(write);
  const std::string& table = client_.table();
  auto call = write.after ? put_item(table, action.item, action.condition, Repeat::safe)
                          : delete_item(table, action.item, action.condition, Repeat::safe);
  auto answer = co_await client_.send(std::move(call));
  if (!answer.failure) co_return true;
  if (answer.failure->kind != Kind::condition) co_return error_of(*answer.failure);
  if (!answer.unclear) co_return false;
  Item key = key_of(action.item.at("PK").text, action.item.at("SK").text);
  auto there = co_await client_.get(std::move(key));
  if (!there) co_return there.error();
  const auto& item = there->item;
  bool as_wanted = write.after ? item && *item == action.item : !item;
  co_return as_wanted;
}

}  // namespace quire::dynamodb
