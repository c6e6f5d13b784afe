#include "page_index/redis/changes.h"

#include <map>

#include "model/index.h"

namespace quire::redis {
namespace {

struct ListName {
  std::string product;
  Cell list;
  auto operator<=>(const ListName&) const = default;
};
// Per id, whether the list has it after the changes. Of several changes of a comment the last
// counts.
using Members = std::map<Ulid, bool>;

std::map<ListName, Members> fold(const std::vector<change::Change>& changes) {
  std::map<ListName, Members> lists;
  for (const auto& change : changes) {
    for (const auto& index : indexes) {
      if (change.from)
        lists[{change.product, list_of(index, change.from->cell)}][change.id] = false;
      if (change.to) lists[{change.product, list_of(index, change.to->cell)}][change.id] = true;
    }
  }
  return lists;
}

// Appends the number of words, then the words.
void append_counted(std::vector<std::string>& to, std::vector<std::string> words) {
  to.push_back(std::to_string(words.size()));
  for (auto& word : words) to.push_back(std::move(word));
}

// The products and the languages that have comments are noted under keys 3 and 4. Returns the
// number of the key that notes this list, or 0, and the name under that key.
std::pair<std::string, std::string> note_of(const ListName& name) {
  const auto& [product, list] = name;
  if (list == Cell{}) return {"3", product};
  bool of_language = list[language_facet] != any && list[rating_facet] == any;
  if (of_language) return {"4", list_key(product, list)};
  return {"0", ""};
}

}  // namespace

void append_changes(Call& call, const Keys& keys, const std::vector<change::Change>& changes) {
  for (const auto& [name, members] : fold(changes)) {
    std::vector<std::string> removed, added;
    for (const auto& [id, there] : members) {
      if (there) added.push_back(std::to_string(id.ms()));
      (there ? added : removed).emplace_back(id.view());
    }
    auto [key, note] = note_of(name);
    call.keys.push_back(keys.list(name.product, name.list));
    call.arguments.push_back(key);
    call.arguments.push_back(note);
    append_counted(call.arguments, std::move(removed));
    append_counted(call.arguments, std::move(added));
  }
}

}  // namespace quire::redis
