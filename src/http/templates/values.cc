#include "http/templates/values.h"

#include <charconv>
#include <cstring>
#include <new>

namespace quire::http {

void Values::set(Name name, std::string_view text) {
  auto* copy = static_cast<char*>(memory_.allocate(text.size(), 1));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  add_item(name).text = {copy, text.size()};
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

Values::Item& Values::add_item(Name name) {
  auto*& first = items_[place_of(name)];
  first = new (memory_.allocate(sizeof(Item), alignof(Item))) Item{.name = name, .next = first};
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
