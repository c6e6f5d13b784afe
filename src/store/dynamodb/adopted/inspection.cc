#include "store/dynamodb/adopted/inspection.h"

#include <fmt/format.h>

#include "store/dynamodb/adopted/records.h"

namespace quire::adopted {

void Inspection::note(const dynamodb::Item& item) {
  auto key = key_in(table_.names, item);
  if (!key) return;
  bool full = keys_.size() >= max_items;
  more_ |= full;
  if (!full) keys_.insert(std::move(*key));
}

Awaitable<Result<std::vector<std::string>>> Inspection::look_again() {
  std::vector<std::string> sentences;
  for (auto key = keys_.begin(); key != keys_.end();) {
    auto found = co_await access_.loop.run(access_.client.get(*key));
    if (!found) co_return found.error();
    std::string reason;
    if (found->item) reason = damage_in(table_, *found->item, table_.read(*found->item));
    bool damaged = !reason.empty();
    if (damaged) sentences.push_back(shown(damage_of(table_, *key, std::move(reason))));
    key = damaged ? std::next(key) : keys_.erase(key);
  }
  if (more_)
    sentences.push_back(fmt::format(
        "More than {} items are damaged. See whether the mapping's \"when\" admits items that are "
        "no comments.",
        max_items));
  co_return sentences;
}

}  // namespace quire::adopted
