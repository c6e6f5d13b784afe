// The ids that match a selection, oldest first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/levels.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/sieve.h"
#include "loop/awaitable.h"

namespace quire::bitmap_index {

// One task at a time. Long work gives the other coroutines of the loop their turn. Throws as
// Reader. What it is made from must outlive it.
class Timeline {
 public:
  // `total`: how many match, where that is known.
  Timeline(Reader& reader, Selection selection, std::optional<std::uint64_t> total, Keeping keeping,
           Work& work);

  Awaitable<std::uint64_t> total();
  // How many matches are older than `id`, or as old: an id need not match, nor be there.
  Awaitable<std::uint64_t> older(const Ulid& id) { return below(id, false); }
  Awaitable<std::uint64_t> up_to(const Ulid& id) { return below(id, true); }
  // `count` matches from the n-th on; fewer where there are fewer.
  Awaitable<std::vector<Ulid>> read(std::uint64_t n, std::size_t count);

 private:
  // Numbers the matches without looking at them; made when first needed.
  Awaitable<void> number();
  // The same, before places are asked for.
  Awaitable<void> number_places();
  std::shared_ptr<const Counted> find();
  Awaitable<std::shared_ptr<const Counted>> follow();
  Awaitable<std::shared_ptr<const Counted>> count();
  Awaitable<Totals> scan();
  void set_total(std::uint64_t total);
  std::optional<Spot> locate_at_end(std::uint64_t n);
  std::optional<Spot> locate(std::uint64_t n);
  std::uint64_t before(const Ulid& start);
  void meet(const Ulid& start, std::uint64_t before);
  Awaitable<std::uint64_t> below(const Ulid& id, bool with);

  Reader& reader_;
  const Subject subject_;
  Keeping keeping_;
  Work& work_;
  std::variant<std::monostate, Levels, std::shared_ptr<const Counted>> numbers_;
  bool places_ = false;  // are numbered as well as they will be
  std::optional<std::uint64_t> total_;
  std::optional<Sieve> sieve_;
  // The block that was looked at last. A page's place, its number and its rows are mostly in one.
  struct Met {
    Ulid start;
    std::uint64_t before, matches;
  };
  std::optional<Met> met_;
};

}  // namespace quire::bitmap_index
