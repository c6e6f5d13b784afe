#include "bitmap_index/reading/timeline.h"

#include <algorithm>
#include <set>
#include <utility>

#include "bitmap_index/reading/asked_words.h"

namespace quire::bitmap_index {

Timeline::Timeline(Reader& reader, Selection selection, std::optional<std::uint64_t> total,
                   Keeping keeping, Work& work)
    : reader_(reader),
      subject_{std::move(selection)},
      keeping_(keeping),
      work_(work),
      total_(total) {}

Awaitable<void> Timeline::number() {
  if (numbers_.index() != 0) co_return;
  if (auto tally = tally_of(subject_.selection)) {
    auto& levels = numbers_.emplace<Levels>(reader_, std::move(*tally));
    co_return set_total(levels.total());
  }
  auto counted = find();
  if (!counted) counted = co_await follow();
  if (!counted) counted = co_await count();
  set_total(std::get<Totals>(*counted).total());
  numbers_ = std::move(counted);
}

// A walk over the levels passes some blocks of a group. Totals need no walk: where walks have
// passed as many blocks as a scan does, it is made. So both together are at most twice the least.
Awaitable<void> Timeline::number_places() {
  co_await number();
  bool walks = numbers_.index() == 1 && keeping_.totals && reader_.height() > 0;
  if (std::exchange(places_, true) || !walks || *total_ == 0) co_return;
  const auto& bits = reader_.databases();
  auto counted = find();
  if (!counted) {
    auto passed = keeping_.totals->missed(reader_.product(), subject_) << bits.group_bits;
    if (passed > reader_.length() >> bits.block_bits) counted = co_await count();
  }
  if (!counted) co_return;
  set_total(std::get<Totals>(*counted).total());
  numbers_ = std::move(counted);
}

void Timeline::set_total(std::uint64_t total) {
  if (total_ && *total_ != total) contradict("other ids match than were counted");
  total_ = total;
}

// Null: they are not kept.
std::shared_ptr<const Counted> Timeline::find() {
  if (subject_.selection.nothing) return std::make_shared<const Counted>(Totals());
  if (!keeping_.totals) return nullptr;
  auto counted = keeping_.totals->find(reader_.product(), subject_, keeping_.generation);
  if (counted) work_.kept = true;
  return counted;
}

// Whether an id that changed has the words its block tells: these blocks alone are counted again.
// Null: totals of the words are not kept, or too much has changed.
Awaitable<std::shared_ptr<const Counted>> Timeline::follow() {
  if (!keeping_.totals || subject_.selection.words.empty()) co_return nullptr;
  auto behind = keeping_.totals->behind(reader_.product(), subject_, keeping_.generation);
  if (!behind) co_return nullptr;
  std::set<Ulid> starts;
  for (const auto& id : behind->changed) starts.insert(reader_.block_of(id).start);
  auto totals = std::get<Totals>(*behind->counted);
  sieve_.emplace(reader_, subject_.selection);
  for (const auto& start : starts) {
    sieve_->move_to(start);
    totals.set(start, static_cast<std::uint32_t>(sieve_->count()));
    if (turn_is_over()) co_await next_turn();
  }
  work_.blocks += starts.size();
  work_.kept = true;
  auto counted = std::make_shared<const Counted>(std::move(totals));
  keeping_.totals->keep(reader_.product(), subject_, keeping_.generation, *counted);
  co_return counted;
}

Awaitable<std::shared_ptr<const Counted>> Timeline::count() {
  if (!subject_.selection.words.empty()) {
    auto blocks = reader_.length() >> reader_.databases().block_bits;
    co_await reader_.asked(subject_.selection.words).ask_segments(blocks);
  }
  sieve_.emplace(reader_, subject_.selection);
  if (sieve_->max_matches() == 0) co_return std::make_shared<const Counted>(Totals());
  auto counted = std::make_shared<const Counted>(co_await scan());
  if (keeping_.totals)
    keeping_.totals->keep(reader_.product(), subject_, keeping_.generation, *counted);
  co_return counted;
}

// Counts the matches of each block.
Awaitable<Totals> Timeline::scan() {
  Starts starts;
  if (keeping_.totals) starts = keeping_.totals->starts(reader_.product(), keeping_.generation);
  if (!starts) starts = starts_of(reader_.blocks());
  std::vector<std::uint32_t> counts(starts->size());
  std::size_t at = 0;
  std::uint64_t looked = 0;
  while (sieve_->next()) {
    while (at < starts->size() && (*starts)[at] < sieve_->start()) ++at;
    if (at == starts->size() || (*starts)[at] != sieve_->start())
      contradict("a block has rows and no ids");
    counts[at] = static_cast<std::uint32_t>(sieve_->count());
    if (++looked % 32 == 0 && turn_is_over()) co_await next_turn();
  }
  work_.blocks += looked;
  work_.skipped += starts->size() - std::min<std::uint64_t>(looked, starts->size());
  co_return Totals(std::move(starts), std::move(counts));
}

// First and last pages are mostly in the blocks at that end, which need no numbers. Absent: the
// match is not near, or the next block there has none; or totals tell faster.
std::optional<Spot> Timeline::locate_at_end(std::uint64_t n) {
  constexpr int few = 3;
  bool back = n > *total_ / 2;
  auto left = back ? *total_ - n : n;
  if (numbers_.index() == 2 || left >> reader_.databases().block_bits > 0) return {};
  auto blocks = reader_.counts(every_id, 0, 0);
  back ? blocks.seek_below({}) : blocks.seek({});
  for (int looked = 0; looked < few && blocks.there(); ++looked) {
    sieve_->move_to(blocks.start());
    ++work_.blocks;
    auto count = sieve_->count();
    if (count == 0) return {};
    if (back ? left <= count : left < count)
      return Spot{blocks.start(), back ? count - left : left};
    left -= count;
    back ? blocks.previous() : blocks.next();
  }
  return {};
}

std::optional<Spot> Timeline::locate(std::uint64_t n) {
  if (met_ && n >= met_->before && n - met_->before < met_->matches)
    return Spot{met_->start, n - met_->before};
  if (auto* levels = std::get_if<Levels>(&numbers_)) return levels->locate(n);
  return std::get<Totals>(*std::get<2>(numbers_)).locate(n);
}

std::uint64_t Timeline::before(const Ulid& start) {
  if (met_ && met_->start == start) return met_->before;
  if (auto* levels = std::get_if<Levels>(&numbers_)) return levels->before(start);
  return std::get<Totals>(*std::get<2>(numbers_)).before(start);
}

// Looks at a block, before which so many match.
void Timeline::meet(const Ulid& start, std::uint64_t before) {
  sieve_->move_to(start);
  ++work_.blocks;
  met_ = Met{start, before, sieve_->count()};
}

Awaitable<std::uint64_t> Timeline::total() {
  if (!total_) co_await number();
  co_return *total_;
}

// `with`: the id itself counts, too.
Awaitable<std::uint64_t> Timeline::below(const Ulid& id, bool with) {
  co_await number_places();
  if (*total_ == 0) co_return 0;
  auto block = reader_.block_of(id);
  if (block.ids == 0) co_return 0;
  auto sum = before(block.start);
  if (!sieve_) sieve_.emplace(reader_, subject_.selection);
  meet(block.start, sum);
  if (sieve_->count() == 0) co_return sum;
  if (sieve_->ids() != block.ids) contradict("a row and its block differ in size");
  BlockIds ids(reader_, block.start);
  auto position = ids.lower_bound(id, block.ids);
  if (with && position < block.ids && ids.at(position) == id) ++position;
  co_return sum + rank(sieve_->words(), position);
}

Awaitable<std::vector<Ulid>> Timeline::read(std::uint64_t n, std::size_t count) {
  auto total = co_await this->total();
  std::vector<Ulid> found;
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, total - std::min(n, total)));
  found.reserve(count);
  if (count > 0 && !sieve_) sieve_.emplace(reader_, subject_.selection);
  while (found.size() < count) {
    auto spot = locate_at_end(n + found.size());
    if (!spot) {
      co_await number_places();
      spot = locate(n + found.size());
    }
    if (!spot) contradict("fewer ids match than were counted");
    meet(spot->start, n + found.size() - spot->index);
    if (sieve_->count() <= spot->index) contradict("a block has fewer matches than were counted");
    BlockIds ids(reader_, spot->start);
    auto position = select(sieve_->words(), static_cast<std::size_t>(spot->index));
    for (; position < sieve_->ids() && found.size() < count;
         position = next_bit(sieve_->words(), position + 1))
      found.push_back(ids.at(position));
    if (turn_is_over()) co_await next_turn();
  }
  co_return found;
}

}  // namespace quire::bitmap_index
