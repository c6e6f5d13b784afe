// A table's items in memory, to which actions are applied by the service's rules. Requests that the
// service would refuse as invalid throw std::invalid_argument.
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

// For the message of a failed comparison.
inline void PrintTo(const Attribute& attribute, std::ostream* out) {
  *out << (attribute.type == Type::number ? "N " : "S ") << attribute.text;
}

inline const FacetValue english = cell("en", 1)[language_facet];

class PlainTable {
 public:
  using Key = std::pair<std::string, std::string>;

  static Key key_in(const Item& item) { return {item.at("PK").text, item.at("SK").text}; }

  std::map<Key, Item> items;

  const Item* find(const Item& key) const {
    auto at = items.find(key_in(key));
    return at == items.end() ? nullptr : &at->second;
  }

  // Applies all actions or none. Returns the reasons of a refusal, one per action; empty: applied.
  std::vector<std::string> apply(const std::vector<Action>& actions) {
    if (actions.empty() || actions.size() > 100) throw std::invalid_argument("how many actions");
    std::set<Key> keys;
    std::vector<std::string> reasons;
    bool refused = false;
    for (const auto& action : actions) {
      check(action);
      if (!keys.insert(key_in(action.item)).second) throw std::invalid_argument("an item twice");
      bool met = !action.condition || holds(*action.condition, find(action.item));
      reasons.push_back(met ? "None" : "ConditionalCheckFailed");
      refused |= !met;
    }
    if (refused) return reasons;
    for (const auto& action : actions) {
      if (action.kind == Action::Kind::put)
        items[key_in(action.item)] = action.item;
      else
        items.erase(key_in(action.item));
    }
    return {};
  }

  // The part of DynamoDB's condition language that the store uses: terms joined by AND or by OR.
  static bool holds(const Expression& condition, const Item* item) {
    std::set<std::string> used;
    bool either = condition.text.find(" OR ") != std::string::npos;
    bool all = true, some = false;
    for (const auto& term : split(condition.text, either ? " OR " : " AND ")) {
      bool met = term_holds(term, condition, item, used);
      all &= met;
      some |= met;
    }
    if (used.size() != condition.names.size() + condition.values.size())
      throw std::invalid_argument("names or values that are not used");
    return either ? some : all;
  }

 private:
  static void check(const Action& action) {
    if (action.kind == Action::Kind::update || action.change)
      throw std::invalid_argument("nothing is updated here");
    if (action.kind == Action::Kind::remove && action.item.size() != 2)
      throw std::invalid_argument("a key has two attributes");
    for (const auto& [name, attribute] : action.item) {
      bool is_key = name == "PK" || name == "SK" || name.starts_with("GSI");
      if (is_key && (attribute.type != Type::string || attribute.text.empty()))
        throw std::invalid_argument(name + " must be a text");
    }
  }

  static std::vector<std::string> split(std::string_view text, std::string_view by) {
    std::vector<std::string> parts;
    for (;;) {
      auto end = text.find(by);
      parts.emplace_back(text.substr(0, end));
      if (end == text.npos) return parts;
      text.remove_prefix(end + by.size());
    }
  }

  static bool term_holds(const std::string& term, const Expression& condition, const Item* item,
                         std::set<std::string>& used) {
    constexpr std::string_view absent = "attribute_not_exists(", there = "attribute_exists(";
    auto attribute = [&](const std::string& name) -> const Attribute* {
      used.insert(name);
      const auto& real = condition.names.at(name);
      auto at = item ? item->find(real) : Item::const_iterator{};
      return item && at != item->end() ? &at->second : nullptr;
    };
    if (term.starts_with(absent) && term.ends_with(")"))
      return !attribute(term.substr(absent.size(), term.size() - absent.size() - 1));
    if (term.starts_with(there) && term.ends_with(")"))
      return attribute(term.substr(there.size(), term.size() - there.size() - 1));
    auto words = split(term, " ");
    if (words.size() != 3) throw std::invalid_argument("not a term: " + term);
    const Attribute* left = attribute(words[0]);
    used.insert(words[2]);
    const Attribute& right = condition.values.at(words[2]);
    if (words[1] == "=") return left && *left == right;
    if (words[1] == "<") return left && left->type == right.type && left->text < right.text;
    if (words[1] != "<=") throw std::invalid_argument("not an operator: " + words[1]);
    return left && left->type == right.type && std::stoull(left->text) <= std::stoull(right.text);
  }
};

inline std::vector<Comment> comments_in(const PlainTable& table) {
  std::vector<Comment> comments;
  for (const auto& [key, item] : table.items) {
    if (is_comment(item)) comments.push_back(comment_of(item).value());
  }
  return comments;
}

// The totals in a product's statistics items.
inline Totals totals_in(const PlainTable& table, const std::string& product) {
  Totals totals;
  auto partition = list_key(product, Cell{});
  for (const auto& [key, item] : table.items) {
    if (key.first == partition) add_statistics(totals, item);
  }
  return totals;
}

// Exactly the items that must lie beside the comments.
inline std::map<PlainTable::Key, Item> recount(const PlainTable& table) {
  std::map<std::string, Totals> totals;
  for (const auto& comment : comments_in(table)) {
    if (!comment.published()) continue;
    Cell values = cell(comment.language, comment.rating);
    for (FacetValue language : {any, values[language_facet]})
      ++totals[comment.product][language][values[rating_facet] - 1];
  }
  std::map<PlainTable::Key, Item> out;
  auto add = [&](const Item& item) { out.emplace(PlainTable::key_in(item), item); };
  for (const auto& [product, languages] : totals) {
    add(key_of(std::string(products_partition), product));
    for (const auto& [language, counts] : languages) {
      add(statistics_item(product, language, counts));
      auto average = average_item(product, language, counts);
      if (average) add(*average);
    }
  }
  return out;
}

// All items but comments and what is left of them, their reports, idempotency keys and items of
// customers.
inline std::map<PlainTable::Key, Item> beside_comments(const PlainTable& table) {
  auto out = table.items;
  std::erase_if(out, [](const auto& row) {
    return is_comment(row.second) || is_removed(row.second) || is_reports(row.second) ||
           row.first.first.starts_with("ONCE#") || row.first.first.starts_with("CUSTOMER#");
  });
  return out;
}

}  // namespace quire::dynamodb
