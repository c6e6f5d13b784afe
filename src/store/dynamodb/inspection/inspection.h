// Finds flawed items, which are damaged or have the wrong index keys, and repairs them. The rules:
// docs/formats/table.md
#pragma once

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "model/vote.h"
#include "projection/table.h"
#include "quire/customer.h"
#include "quire/result.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"
#include "store/dynamodb/parts/known_parts.h"

namespace quire::dynamodb {

struct TableAccess;

// The flaw of an item.
struct Flaw {
  std::string sentence;          // names the item and the reason
  Expression change;             // the update that repairs it
  Expression condition = {};     // the item is still as it was
  bool removes = false;          // in place of a change: the repair removes the item
  bool sets_aside = false;       // the change takes the item out of what readers see
  bool unreadable = false;       // what is removed cannot be read, and may have told something
  std::optional<Item> key = {};  // of the item to change, where it is another than the flawed one
};
using MaybeFlaw = std::optional<Flaw>;  // absent: there is none

// `parts`: of the table's lists. Nothing if the item is a comment with the
// right index keys, was set aside, or is not Quire's. Reports without a comment are not seen so.
MaybeFlaw flaw_of(const Item& item, const TableParts& parts = {});

// Used on a loop of one thread. `access` must outlive it.
class ItemInspection : public projection::Inspection {
 public:
  // Remembers at most `max_flaws` flawed items. `max_waiting`: comments that wait for the row of
  // their customer or for their votes, or these for the comment. Where more wait for rows, a part
  // of them is compared.
  explicit ItemInspection(TableAccess& access, std::size_t max_flaws = 10'000,
                          std::size_t max_waiting = 1'000'000)
      : access_(access), max_flaws_(max_flaws), max_waiting_(max_waiting) {}

  // To be called before look(), and now and then in between.
  Awaitable<Status> prepare();
  // Remembers the item if it is flawed. Beyond the bound, remembers only that
  // there are more.
  void look(const Item& item);

  Awaitable<Result<std::vector<std::string>>> look_again() override;
  Awaitable<Result<projection::RepairedItems>> repair() override;

 private:
  Awaitable<Result<MaybeFlaw>> flaw_at(const Item& key);
  void add(Item key);
  Awaitable<Result<projection::RepairedItems>> repair(const Item& key, const Flaw& flaw);
  // In customers.cc, as are those below.
  void look_at_customer(const Item& item);
  bool is_compared(const CustomerHash& customer, const Ulid& id) const;
  Awaitable<Result<MaybeFlaw>> flaw_of_customer(const Item& key, const std::optional<Item>& row);
  // Of a row that says which comment is its customer's only one of a product.
  Awaitable<Result<MaybeFlaw>> flaw_of_only(const Item& row);

  void look_at_votes(const Item& item);
  Awaitable<Result<VoteCounts>> count_votes(std::string partition);
  Awaitable<Result<MaybeFlaw>> flaw_of_votes(const Item& key);

  TableAccess& access_;
  std::size_t max_flaws_, max_waiting_;
  KnownParts::Shared parts_ = std::make_shared<const TableParts>();
  std::map<Item, MaybeFlaw> flaws_;  // by key
  std::string comment_;              // the PK of the comment that was seen last
  // Of comments of customers and their rows those that were seen without the other.
  enum class Seen : char { comment, row };
  std::map<std::pair<CustomerHash, Ulid>, Seen> alone_;
  // One pair of so many is compared: a power of two. Other pairs in each run.
  std::uint64_t parts_of_pairs_ = 1;
  const std::uint64_t part_ = std::random_device{}();
  // The comments of the customer that was seen last: a scan gives them before the rows of products.
  std::pair<CustomerHash, std::set<Ulid>> last_;
  // Of comments that have votes, by PK: how many they count, less those that were seen.
  std::map<std::string, VoteCounts> uncounted_;
  bool more_ = false;
};

}  // namespace quire::dynamodb
