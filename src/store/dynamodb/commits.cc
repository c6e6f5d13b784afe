#include "store/dynamodb/commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "loop/loop.h"

namespace quire::dynamodb {
namespace {

using About = Transaction::About;

// Names a transaction among those of ten minutes.
std::string make_token() {
  return Ulid::make(system_ms(), system_entropy()).text();
}

std::set<std::string> products_of(const std::vector<Change>& changes) {
  std::set<std::string> products;
  for (const auto& change : changes) products.insert(product_of(change));
  return products;
}

bool worth_another_round(const Answer& answer) {
  // What may still be under way must not be begun anew under another token.
  return answer.failure->kind == Kind::condition ||
         (answer.failure->kind == Kind::conflict && !answer.unclear);
}

Error too_busy() {
  return {ErrorCode::unavailable,
          "Too many writes to the same product are waiting. Try again in a moment."};
}

}  // namespace

// Being the one that writes to a product.
struct Commits::Inside {
  std::map<std::string, Gate>* gates;
  std::map<std::string, Gate>::iterator at;
  Gate::Pass pass;

  Inside(std::map<std::string, Gate>* gates, std::map<std::string, Gate>::iterator at,
         Gate::Pass pass)
      : gates(gates), at(at), pass(std::move(pass)) {}
  Inside(Inside&& other) noexcept
      : gates(std::exchange(other.gates, nullptr)), at(other.at), pass(std::move(other.pass)) {}
  ~Inside() {
    if (!gates) return;
    { Gate::Pass leaving(std::move(pass)); }
    if (at->second.idle()) gates->erase(at);
  }
};

// The changes still to be made, and what became of those tried.
class Commits::Round {
 public:
  explicit Round(std::vector<Change> changes) : changes_(std::move(changes)) {
    for (std::size_t i = 0; i < changes_.size(); ++i) places_.push_back(i);
    made_.which.resize(changes_.size());
  }

  const std::vector<Change>& left() const { return changes_; }

  Made succeed() {
    for (auto place : places_) made_.which[place] = true;
    return made_;
  }

  // Takes out what was refused for good. Whether the statistics were other than believed.
  bool refuse(const Transaction& transaction, const Failure& failure) {
    bool outdated = false;
    for (std::size_t i = transaction.about.size(); i-- > 0;) {
      if (!failure.refused(i)) continue;
      const About& about = transaction.about[i];
      if (about.what == About::What::statistics) outdated = true;
      if (about.what == About::What::key) made_.known_key = true;
      if (about.what == About::What::change) erase(about.change);
    }
    return outdated;
  }

  std::optional<Made> done() const {
    if (made_.known_key || changes_.empty()) return made_;
    return {};
  }

 private:
  void erase(std::size_t i) {
    changes_.erase(changes_.begin() + static_cast<std::ptrdiff_t>(i));
    places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  std::vector<Change> changes_;
  std::vector<std::size_t> places_;  // of these among all
  Made made_;
};

Awaitable<Result<Made>> Commits::make(std::vector<Change> changes, std::optional<Item> key,
                                      std::uint64_t now_s) {
  bool together = key || std::any_of(changes.begin(), changes.end(), moves);
  if (by_write() && together)
    co_return co_await make_together(std::move(changes), std::move(key), now_s);
  Made made;
  for (auto next = changes.begin(); next != changes.end();) {
    std::vector<Awaitable<Result<bool>>> works;
    for (; next != changes.end() && works.size() < at_once; ++next)
      works.push_back(make_alone(std::move(*next)));
    auto results = co_await all(std::move(works));
    for (const auto& result : results) {
      if (!result) co_return result.error();
      made.which.push_back(*result);
    }
  }
  co_return made;
}

Awaitable<Result<Made>> Commits::make_together(std::vector<Change> changes, std::optional<Item> key,
                                               std::uint64_t now_s) {
  Deadline deadline = std::chrono::steady_clock::now() + patience;
  std::vector<Inside> inside;
  auto products = products_of(changes);
  for (const auto& product : products) {  // in one order, so that none waits in a ring
    auto refused = co_await enter(product, deadline, inside);
    if (refused) co_return std::move(*refused);
  }
  Round round(std::move(changes));
  bool outdated = false;
  for (int i = 0; i < most_rounds && std::chrono::steady_clock::now() < deadline; ++i) {
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

Awaitable<std::optional<Error>> Commits::enter(const std::string& product, Deadline deadline,
                                               std::vector<Inside>& inside) {
  auto at = gates_.try_emplace(product, context_, 1, most_waiting).first;
  auto pass = co_await at->second.enter(deadline);
  if (!pass) co_return too_busy();
  inside.emplace_back(&gates_, at, std::move(pass));
  co_return std::nullopt;
}

Awaitable<Result<KnownTotals>> Commits::totals_for(const std::vector<Change>& changes, bool fresh) {
  KnownTotals out;
  auto products = products_of(changes);
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

// A condition that fails after an unclear try may mean that the try was applied after all.
Awaitable<Result<bool>> Commits::make_alone(Change change) {
  Action action = action_of(change);
  const std::string& table = client_.table();
  auto call = change.after ? put_item(table, action.item, action.condition, Repeat::safe)
                           : delete_item(table, action.item, action.condition, Repeat::safe);
  auto answer = co_await client_.send(std::move(call));
  if (!answer.failure) co_return true;
  if (answer.failure->kind != Kind::condition) co_return error_of(*answer.failure);
  if (!answer.unclear) co_return false;
  Item key = key_of(action.item.at("PK").text, action.item.at("SK").text);
  auto there = co_await client_.get(std::move(key));
  if (!there) co_return there.error();
  const auto& item = there->item;
  bool as_wanted = change.after ? item && *item == action.item : !item;
  co_return as_wanted;
}

}  // namespace quire::dynamodb
