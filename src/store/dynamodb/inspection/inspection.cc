#include "store/dynamodb/inspection/inspection.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <boost/json.hpp>

#include "base/try.h"
#include "loop/loop.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/facts_item.h"
#include "store/dynamodb/items/queue_items.h"

namespace quire::dynamodb {

using projection::RepairedItems;

namespace {

constexpr std::size_t items_at_once = 32;

// The index keys that put an item into lists.
const std::vector<std::string> list_attributes = {"GSI4PK", "GSI2PK", "GSI3PK", "GSIPK", "GSISK"};

std::string quoted(std::string_view text) {
  return boost::json::serialize(boost::json::string(text));
}

// The item still has the attributes that were inspected.
Expression as_inspected(const Item& item) {
  auto names = list_attributes;
  names.insert(names.end(), {"language", "rating", "data", "reports", "product", "facts",
                             std::string(named_attribute), std::string(aside_attribute)});
  return unchanged(item, names);
}

// Builds an update expression of two clauses.
class Update {
 public:
  void set(std::string_view name, const Attribute& value) {
    auto number = change_.names.size();
    sets_ += fmt::format("{}#n{} = :v{}", sets_.empty() ? "SET " : ", ", number, number);
    change_.names[fmt::format("#n{}", number)] = name;
    change_.values[fmt::format(":v{}", number)] = value;
  }
  void remove(std::string_view name) {
    auto number = change_.names.size();
    removes_ += fmt::format("{}#n{}", removes_.empty() ? " REMOVE " : ", ", number);
    change_.names[fmt::format("#n{}", number)] = name;
  }
  Expression expression() && {
    change_.text = sets_ + removes_;
    return std::move(change_);
  }

 private:
  std::string sets_, removes_;
  Expression change_;
};

Flaw set_aside(const Item& item, const Damage& damage) {
  Update update;
  update.set(aside_attribute, string(damage.reason));
  for (const auto& name : list_attributes) {
    auto at = item.find(name);
    if (at == item.end()) continue;
    update.set(std::string(aside_attribute) + "_" + name, at->second);
    update.remove(name);
  }
  return {.sentence = shown(damage),
          .change = std::move(update).expression(),
          .condition = as_inspected(item),
          .sets_aside = true};
}

// What gives the item the index keys `keys`, and no other. Returns a sentence for each that is
// wrong.
std::string set_keys(const Item& item, const Item& keys, Update& update) {
  std::string wrong;
  for (const auto& name : list_attributes) {
    auto is = item.find(name), wanted = keys.find(name);
    bool absent = is == item.end(), none = wanted == keys.end();
    if (absent ? none : !none && is->second == wanted->second) continue;
    if (none)
      update.remove(name);
    else
      update.set(name, wanted->second);
    wrong += fmt::format(" {} is {}, and must be {}.", name,
                         absent ? "missing" : quoted(is->second.text),
                         none ? "absent" : quoted(wanted->second.text));
  }
  return wrong;
}

Flaw in_other_lists(const Item& item, std::string_view name, std::string_view wrong,
                    Update update) {
  return {fmt::format("Item {} lies in other lists than its own:{}", quoted(name), wrong),
          std::move(update).expression(), as_inspected(item)};
}

MaybeFlaw repair_keys(const Item& item, const Comment& comment, const ListParts& parts) {
  Update update;
  auto wrong = set_keys(item, list_keys(comment, parts, &item), update);
  if (wrong.empty()) return {};
  Item without_lists = item;
  for (const auto& name : list_attributes) without_lists.erase(name);
  // Its product is in no list's key any more, so it must be in `data`.
  if (!comment.published() && !comment_of(without_lists))
    update.set("data", comment_item(comment).at("data"));
  return in_other_lists(item, item.at("PK").text, wrong, std::move(update));
}

MaybeFlaw repair_facts(const Item& item) {
  auto name = name_of(item);
  auto facts = facts_in(item);
  if (!facts) return set_aside(item, {name, "Its facts are not as Quire writes them."});
  Update update;
  auto wrong = set_keys(item, facts_item(*facts), update);
  if (wrong.empty()) return {};
  return in_other_lists(item, name, wrong, std::move(update));
}

// What may name a person, and cannot be read, goes: set aside it would stay in the table, where an
// erasure does not find it.
Flaw unreadable(const Item& item, std::string_view why) {
  Flaw flaw;
  flaw.sentence = fmt::format("Item {} {}", quoted(name_of(item)), why);
  flaw.condition = as_inspected(item);
  flaw.removes = flaw.unreadable = true;
  return flaw;
}

MaybeFlaw repair_reports(const Item& item) {
  auto reports = read_reports(item);
  auto id = comment_of_partition(item);
  if (!reports || !id) return unreadable(item, "has reports that are not as Quire writes them.");
  Update update;
  auto wrong = set_keys(item, reports_item(*id, *reports, is_listed(item)), update);
  if (wrong.empty()) return {};
  return in_other_lists(item, name_of(item), wrong, std::move(update));
}

// Of an item of a customer that names no comment; absent: it is another.
MaybeFlaw nameless(const Item& item) {
  bool of_comment = is_customer_comment(item);
  if (!of_comment && !is_customer_product(item) && !is_ticket(item)) return {};
  bool whole = of_comment ? comment_in_key(item).has_value() && product_named(item)
                          : comment_named(item).has_value();
  if (customer_in(item) && whole) return {};
  return unreadable(item, "names no comment of a customer.");
}

// Whether the update was refused because of this item alone: it has changed, another process writes
// it, or it has no room.
bool is_the_items(const Failure& failure) {
  return failure.kind == FailureKind::condition || failure.kind == FailureKind::conflict ||
         failure.name == "ValidationException";
}

}  // namespace

MaybeFlaw flaw_of(const Item& item, const TableParts& parts) {
  auto [comment, reason] = read_comment(item);
  if (comment) return repair_keys(item, *comment, parts.of(comment->product));
  if (is_facts(item)) return repair_facts(item);
  if (is_reports(item)) return repair_reports(item);
  if (reason.empty() && is_listed(item) && !is_comment(item))
    reason = "It lies in lists of comments, and its PK and SK are no comment's key.";
  if (!reason.empty()) return set_aside(item, {item.at("PK").text, reason});
  if (auto damage = misnamed(item)) return set_aside(item, *damage);
  if (is_vote(item) && !read_vote(item)) return unreadable(item, "is no vote as Quire writes it.");
  return nameless(item);
}

Awaitable<Status> ItemInspection::prepare() {
  CO_TRY(auto known, co_await access_.loop.run(access_.parts.get()));
  parts_ = std::move(known.value);
  co_return Done{};
}

// A scan gives reports right after their comment, unless a page ends between: then look_again()
// finds the comment.
void ItemInspection::look(const Item& item) {
  look_at_customer(item);
  look_at_votes(item);
  bool lone = is_reports(item) && item.at("PK").text != comment_;
  if (is_comment(item)) comment_ = item.at("PK").text;
  if (!lone && !flaw_of(item, *parts_)) return;
  add(key_in(item));
}

void ItemInspection::add(Item key) {
  bool full = flaws_.size() >= max_flaws_;
  more_ |= full;
  if (!full) flaws_.emplace(std::move(key), std::nullopt);
}

Awaitable<Result<std::vector<std::string>>> ItemInspection::look_again() {
  CO_TRY_DONE(co_await prepare());
  for (const auto& [pair, seen] : alone_) add(customer_comment_key(pair.first, pair.second));
  alone_.clear();
  for (const auto& [partition, left] : uncounted_)
    if (!left.none()) add(votes_key(partition));
  uncounted_.clear();
  std::vector<std::string> sentences;
  for (auto next = flaws_.begin(); next != flaws_.end();) {
    auto first = next;
    std::vector<Awaitable<Result<MaybeFlaw>>> reads;
    for (; next != flaws_.end() && reads.size() < items_at_once; ++next)
      reads.push_back(flaw_at(next->first));
    auto found = co_await all(std::move(reads));
    for (auto& flaw : found) {
      if (!flaw) co_return flaw.error();
      if (*flaw) sentences.push_back((*flaw)->sentence);
      first->second = std::move(*flaw);
      ++first;
    }
  }
  std::erase_if(flaws_, [](const auto& each) { return !each.second; });
  if (more_)
    sentences.push_back(fmt::format(
        "More than {} items are flawed: repair these, and run quire verify again.", max_flaws_));
  co_return sentences;
}

Awaitable<Result<MaybeFlaw>> ItemInspection::flaw_at(const Item& key) {
  auto there = co_await access_.loop.run(access_.client.get(key));
  if (!there) co_return there.error();
  if (is_customer_comment(key)) co_return co_await flaw_of_customer(key, there->item);
  if (key == votes_key(key.at("PK").text)) co_return co_await flaw_of_votes(key);
  if (!there->item) co_return MaybeFlaw();
  auto flaw = flaw_of(*there->item, *parts_);
  if (!flaw && is_customer_product(*there->item)) co_return co_await flaw_of_only(*there->item);
  if (flaw || !is_reports(*there->item)) co_return flaw;
  const auto& partition = key.at("PK").text;
  auto comment = co_await access_.loop.run(access_.client.get(key_of(partition, partition)));
  if (!comment) co_return comment.error();
  if (comment->item && !is_removed(*comment->item)) co_return MaybeFlaw();
  Flaw lone;
  lone.sentence = "Item " + quoted(name_of(key)) + " has reports on a comment that is not there.";
  lone.condition = as_inspected(*there->item);
  lone.removes = true;
  co_return MaybeFlaw(std::move(lone));
}

Awaitable<Result<RepairedItems>> ItemInspection::repair() {
  RepairedItems out;
  for (auto next = flaws_.begin(); next != flaws_.end();) {
    std::vector<Awaitable<Result<RepairedItems>>> works;
    for (; next != flaws_.end() && works.size() < items_at_once; ++next)
      if (next->second) works.push_back(repair(next->first, *next->second));
    auto repaired = co_await all(std::move(works));
    for (const auto& each : repaired) {
      if (!each) co_return each.error();
      out.set_aside += each->set_aside;
      out.removed += each->removed;
    }
  }
  for (Result<bool> more = true; more && *more;) {
    more = co_await access_.loop.run(sweep_some(access_.client));
    if (!more) co_return more.error();
  }
  co_return out;
}

Awaitable<Result<RepairedItems>> ItemInspection::repair(const Item& key, const Flaw& flaw) {
  const auto& table = access_.client.table();
  const auto& at = flaw.key ? *flaw.key : key;
  Call call = flaw.removes ? delete_item(table, at, flaw.condition, Repeat::safe)
                           : update_item(table, at, flaw.change, flaw.condition, Repeat::safe);
  auto failure = (co_await access_.loop.run(access_.client.send(std::move(call)))).failure;
  if (failure && !is_the_items(*failure)) co_return error_of(*failure);
  if (flaw.unreadable) {
    bool removed = !failure;
    if (failure) {  // the first answer may have been lost
      CO_TRY(auto there, co_await access_.loop.run(access_.client.get(at)));
      removed = !there.item;
    }
    if (removed) spdlog::warn("removed: {}", flaw.sentence);
    co_return RepairedItems{.removed = removed};
  }
  if (!flaw.sets_aside) co_return RepairedItems{};
  if (failure) {
    // The update may be there already: its answer was lost, and it was sent again.
    CO_TRY(auto there, co_await access_.loop.run(access_.client.get(at)));
    if (!there.item || !there.item->contains(std::string(aside_attribute)))
      co_return RepairedItems{};
  }
  // Said at once: a later failure must not hide it, and the next repair sees no flaw.
  spdlog::warn("set aside: {}", flaw.sentence);
  co_return RepairedItems{.set_aside = 1};
}

}  // namespace quire::dynamodb
