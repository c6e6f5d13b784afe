// Items that are at fault: damaged ones, and comments whose index keys do not fit them. Named, and
// put right. The rules: docs/formats/table.md
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "projection/table.h"
#include "quire/result.h"
#include "store/dynamodb/layout.h"
#include "store/dynamodb/reading.h"

namespace quire::dynamodb {

struct Parts;

// What is wrong with an item.
struct Flaw {
  std::string sentence;       // names the item and the reason
  Expression change;          // what puts it right
  Expression condition = {};  // that the item is still as it was
};
// Nothing: it is a comment in its lists, or was set aside, or is not Quire's.
std::optional<Flaw> flaw_of(const Item& item);

// On a loop of one thread. `parts` must outlive it.
class Inspection : public projection::Inspection {
 public:
  static constexpr std::size_t max_flaws = 10'000;

  explicit Inspection(Parts& parts) : parts_(parts) {}

  // Remembers the item if it is at fault. Of more than `max_flaws`, only that there are more.
  void look(const Item& item);

  Awaitable<Result<std::vector<std::string>>> look_again() override;
  Awaitable<Status> mend() override;

 private:
  Parts& parts_;
  std::map<Item, std::optional<Flaw>> flaws_;  // by key
  bool more_ = false;
};

}  // namespace quire::dynamodb
