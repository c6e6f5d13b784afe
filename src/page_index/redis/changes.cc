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
// Whether each id is in the list afterwards; of several changes of a comment the last one counts.
using Members = std::map<Ulid, bool>;

std::map<ListName, Members> fold(const std::vector<change::Change>& changes) {
  std::map<ListName, Members> lists;
  for (const auto& change : changes) {
    for (const auto& index : indexes) {
      if (change.from) lists[{change.product, list_of(index, *change.from)}][change.id] = false;
      if (change.to) lists[{change.product, list_of(index, *change.to)}][change.id] = true;
    }
  }
  return lists;
}

// How many words, and these.
void append_counted(std::vector<std::string>& to, std::vector<std::string> words) {
  to.push_back(std::to_string(words.size()));
  for (auto& word : words) to.push_back(std::move(word));
}

// Where it is noted that the list has members: the number of the key, and the name noted there.
std::pair<std::string, std::string> noted(const ListName& name) {
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
    auto [where, as] = noted(name);
    call.keys.push_back(keys.list(name.product, name.list));
    call.arguments.push_back(where);
    call.arguments.push_back(as);
    append_counted(call.arguments, std::move(removed));
    append_counted(call.arguments, std::move(added));
  }
}

}  // namespace quire::redis
