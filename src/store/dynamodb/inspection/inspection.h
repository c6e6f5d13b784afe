// Items that are at fault: damaged ones, and comments whose index keys do not fit them. Named, and
// put right. The rules: docs/formats/table.md
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "quire/result.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

struct TableAccess;

// What is wrong with an item.
struct Flaw {
  std::string sentence;       // names the item and the reason
  Expression change;          // what puts it right
  Expression condition = {};  // that the item is still as it was
};
// Nothing: it is a comment in its lists, or was set aside, or is not Quire's.
std::optional<Flaw> flaw_of(const Item& item);

// On a loop of one thread. `access` must outlive it.
class Inspection {
 public:
  static constexpr std::size_t max_flaws = 10'000;

  explicit Inspection(TableAccess& access) : access_(access) {}

  // Remembers the item if it is at fault. Of more than `max_flaws`, only that there are more.
  void look(const Item& item);

  // Reads every item anew, and forgets those that are right by now. A sentence for each of the
  // others. unavailable: the table cannot be asked.
  Awaitable<Result<std::vector<std::string>>> look_again();
  // Puts right what look_again() found: sets damaged items aside, and gives comments their index
  // keys. An item that changes meanwhile is left as it is.
  Awaitable<Status> mend();

 private:
  TableAccess& access_;
  std::map<Item, std::optional<Flaw>> flaws_;  // by key
  bool more_ = false;
};

}  // namespace quire::dynamodb
