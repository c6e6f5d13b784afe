#include "http/templates/values.h"

#include <charconv>
#include <cstring>
#include <new>

namespace quire::http {

void Values::set(Name name, std::string_view text) {
  auto& item = add_item(name, text.size());
  auto* copy = reinterpret_cast<char*>(&item + 1);
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  item.text = {copy, text.size()};
}

void Values::set_number(Name name, std::int64_t number) {
  char digits[20];
  auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  set(name, {digits, static_cast<std::size_t>(end - digits)});
}

Values& Values::add(Name name) {
  auto* row = new (memory_.allocate(sizeof(Values), alignof(Values))) Values(memory_, this);
  auto* item = find_own(name);
  if (!item) item = &add_item(name);
  (item->last ? item->last->next_ : item->rows) = row;
  item->last = row;
  return *row;
}

Values::Item& Values::add_item(Name name, std::size_t bytes_behind) {
  auto*& first = items_[place_of(name)];
  auto* place = memory_.allocate(sizeof(Item) + bytes_behind, alignof(Item));
  first = new (place) Item{.name = name, .next = first};
  return *first;
}

Values::Item* Values::find_own(Name name) const {
  auto* item = items_[place_of(name)];
  while (item && item->name != name) item = item->next;
  return item;
}

const Values::Item* Values::find(Name name) const {
  for (const auto* each = this; each; each = each->around_) {
    if (const auto* item = each->find_own(name)) return item;
  }
  return nullptr;
}

}  // namespace quire::http
