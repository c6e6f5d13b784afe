#include "store/dynamodb/inspection/inspection.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "loop/loop.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/items/conditions.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t items_at_once = 32;

// The index keys that put an item into lists.
const std::vector<std::string> list_attributes = {"GSI4PK", "GSI2PK", "GSI3PK", "GSIPK", "GSISK"};

std::string quoted(std::string_view text) {
  return boost::json::serialize(boost::json::string(text));
}

Item key_in(const Item& item) {
  return key_of(item.at("PK").text, item.at("SK").text);
}

// The item still has the attributes that were inspected.
Expression as_inspected(const Item& item) {
  auto names = list_attributes;
  names.insert(names.end(), {"language", "rating", "data", std::string(aside_attribute)});
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
  return {shown(damage), std::move(update).expression(), as_inspected(item)};
}

std::optional<Flaw> repair_keys(const Item& item, const Comment& comment, const ListParts& parts) {
  Update update;
  std::string wrong;
  auto keys = list_keys(comment, parts, &item);
  for (const auto& name : list_attributes) {
    auto is = text_of(item, name);
    const auto& wanted = keys.at(name);
    if (is == wanted.text) continue;
    update.set(name, wanted);
    wrong += fmt::format(" {} is {}, and must be {}.", name, is ? quoted(*is) : "missing",
                         quoted(wanted.text));
  }
  if (wrong.empty()) return {};
  return Flaw{"Item " + quoted(item.at("PK").text) + " lies in other lists than its own:" + wrong,
              std::move(update).expression(), as_inspected(item)};
}

// Whether the update was refused because of this item alone: it has changed, another process writes
// it, or it has no room.
bool is_the_items(const Failure& failure) {
  return failure.kind == Kind::condition || failure.kind == Kind::conflict ||
         failure.name == "ValidationException";
}

}  // namespace

std::optional<Flaw> flaw_of(const Item& item, const TableParts& parts) {
  auto [comment, reason] = read_comment(item);
  if (comment) return repair_keys(item, *comment, parts.of(comment->product));
  if (reason.empty() && is_listed(item) && !is_comment(item))
    reason = "It lies in lists of comments, and its PK and SK are no comment's key.";
  if (!reason.empty()) return set_aside(item, {item.at("PK").text, reason});
  if (auto damage = misnamed(item)) return set_aside(item, *damage);
  return {};
}

Awaitable<Status> Inspection::prepare() {
  auto known = co_await access_.loop.run(access_.parts.get());
  if (!known) co_return known.error();
  parts_ = std::move(known->parts);
  co_return Done{};
}

void Inspection::look(const Item& item) {
  auto flaw = flaw_of(item, *parts_);
  if (!flaw) return;
  bool full = flaws_.size() >= max_flaws_;
  more_ |= full;
  if (!full) flaws_.emplace(key_in(item), std::nullopt);
}

Awaitable<Result<std::vector<std::string>>> Inspection::look_again() {
  auto prepared = co_await prepare();
  if (!prepared) co_return prepared.error();
  std::vector<std::string> sentences;
  for (auto next = flaws_.begin(); next != flaws_.end();) {
    auto first = next;
    std::vector<Awaitable<Result<ItemAnswer>>> reads;
    for (; next != flaws_.end() && reads.size() < items_at_once; ++next)
      reads.push_back(access_.loop.run(access_.client.get(next->first)));
    auto found = co_await all(std::move(reads));
    for (auto& each : found) {
      if (!each) co_return each.error();
      auto flaw = each->item ? flaw_of(*each->item, *parts_) : std::nullopt;
      if (flaw) sentences.push_back(flaw->sentence);
      first->second = std::move(flaw);
      ++first;
    }
  }
  std::erase_if(flaws_, [](const auto& each) { return !each.second; });
  if (more_)
    sentences.push_back(fmt::format(
        "More than {} items are flawed: repair these, and run quire verify again.", max_flaws_));
  co_return sentences;
}

Awaitable<Status> Inspection::repair() {
  const auto& table = access_.client.table();
  for (auto next = flaws_.begin(); next != flaws_.end();) {
    std::vector<Awaitable<Answer>> works;
    for (; next != flaws_.end() && works.size() < items_at_once; ++next) {
      const auto& [key, flaw] = *next;
      if (!flaw) continue;
      Call call = update_item(table, key, flaw->change, flaw->condition, Repeat::safe);
      works.push_back(access_.loop.run(access_.client.send(std::move(call))));
    }
    auto answers = co_await all(std::move(works));
    for (const auto& answer : answers) {
      if (answer.failure && !is_the_items(*answer.failure)) co_return error_of(*answer.failure);
    }
  }
  co_return Done{};
}

}  // namespace quire::dynamodb
