#include "http/templates/values.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>

namespace quire::http {

void Arena::add_block(std::size_t least) {
  constexpr std::size_t usual = 32 * 1024;  // a page of 20 comments takes one or two
  left_ = std::max(usual, least);
  at_ = blocks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(left_)).get();
}

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
  auto* row = new (memory_.take(sizeof(Values))) Values(memory_, this);
  auto* item = find_own(name);
  if (!item) item = &add_item(name);
  (item->last ? item->last->next_ : item->rows) = row;
  item->last = row;
  return *row;
}

Values::Item& Values::add_item(Name name, std::size_t bytes_behind) {
  auto*& first = items_[place_of(name)];
  names_ |= bit_of(name);
  first = new (memory_.take(sizeof(Item) + bytes_behind)) Item{.name = name, .next = first};
  return *first;
}

Values::Item* Values::find_own(Name name) const {
  auto* item = items_[place_of(name)];
  while (item && item->name != name) item = item->next;
  return item;
}

const Values::Item* Values::find(Name name) const {
  for (const auto* each = this; each; each = each->around_) {
    if (!(each->names_ & bit_of(name))) continue;
    if (const auto* item = each->find_own(name)) return item;
  }
  return nullptr;
}

}  // namespace quire::http
