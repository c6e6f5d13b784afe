#include "bitmap_index/reading/levels.h"

#include <algorithm>

namespace quire::bitmap_index {
namespace {

// The groups of a level in order, each with the number of its ids that are of a tally. Level 0: the
// blocks.
class Groups {
 public:
  Groups(Reader& reader, const Tally& tally, int level) : tally_(tally), level_(level) {
    if (tally.without || tally.facet == every_id) every_.emplace(reader.counts(every_id, 0, level));
    if (tally.facet == every_id) return;
    if (level == 0) parts_.push_back(reader.rows(tally.facet));
    for (auto code : tally.codes) {
      if (level > 0) parts_.push_back(reader.counts(tally.facet, code, level));
    }
  }

  // To the first group at or behind `start`.
  void seek(const Ulid& start) {
    if (every_) every_->seek(start);
    for (auto& part : parts_) part.seek(start);
    settle();
  }

  // To the last group before `end`; absent: to the last.
  void seek_below(const std::optional<Ulid>& end) {
    if (every_) every_->seek_below(end);
    for (auto& part : parts_) part.seek_below(end);
    settle(true);
  }

  bool there() const { return there_; }
  const Ulid& start() const { return start_; }
  std::uint64_t count() const { return count_; }

  void next() {
    if (every_) every_->next();
    for (auto& part : parts_) {
      if (part.at(start_)) part.next();
    }
    settle();
  }

  void previous() {
    if (every_) every_->previous();
    for (auto& part : parts_) {
      if (part.at(start_)) part.previous();
    }
    settle(true);
  }

  // Goes on to the group with the id that is `left` ids behind the start of the present group, or
  // with `back` before its end. `left` is then that of the group.
  void approach(std::uint64_t& left, bool back) {
    for (; there_ && (back ? left > count_ : left >= count_); back ? previous() : next()) {
      left -= count_;
      passed_ = start_;
    }
    if (!there_) contradict("a level counts other ids than the level above");
  }
  // The last group that approach() passed. Absent: it passed none.
  const std::optional<Ulid>& passed() const { return passed_; }

 private:
  // Takes the nearest of the groups that the parts are at: the first, or with `back` the last.
  void settle(bool back = false) {
    there_ = every_ && every_->there();
    if (there_) start_ = every_->start();
    for (const auto& part : parts_) {
      bool nearer =
          part.there() && (!there_ || (back ? start_ < part.start() : part.start() < start_));
      if (!nearer) continue;
      if (every_) contradict("a value has a group that no id starts");
      start_ = part.start();
      there_ = true;
    }
    if (!there_) return;
    auto coded = counted();
    if (!every_) {
      count_ = coded;
      return;
    }
    auto all = every_->count();
    if (coded > all) contradict("a value has more ids than the group");
    count_ = all - coded;
  }

  // The ids of the group with one of the codes.
  std::uint64_t counted() const {
    std::uint64_t sum = 0;
    for (const auto& part : parts_) {
      if (part.at(start_)) sum += level_ > 0 ? part.count() : counted(BlockRow(part.value()));
    }
    return sum;
  }

  std::uint64_t counted(const BlockRow& row) const {
    std::uint64_t sum = 0;
    for (auto code : tally_.codes) {
      auto entry = row.find(code);
      if (entry < row.entries()) sum += row.count(entry);
    }
    return sum;
  }

  const Tally& tally_;
  int level_;
  std::optional<Rows> every_;
  std::vector<Rows> parts_;
  bool there_ = false;
  Ulid start_;
  std::uint64_t count_ = 0;
  std::optional<Ulid> passed_;
};

}  // namespace

std::uint64_t Levels::total() {
  if (total_) return *total_;
  std::uint64_t sum = 0;
  for (auto code : tally_.codes) sum += reader_.length(tally_.facet, code);
  if (tally_.without && sum > reader_.length()) contradict("a value has more ids than the product");
  return total_.emplace(tally_.without ? reader_.length() - sum : sum);
}

// Goes down through the levels: a group of a level begins and ends where groups of the level below
// do. Walks over them from the nearer end.
std::optional<Spot> Levels::locate(std::uint64_t n) {
  auto count = total();
  if (n >= count) return {};
  Spot spot{{}, n};
  std::optional<Ulid> end;
  for (int level = std::max(reader_.height() - 1, 0); level >= 0; --level) {
    Groups groups(reader_, tally_, level);
    bool back = spot.index > count / 2;
    auto left = back ? count - spot.index : spot.index;
    if (back) groups.seek_below(end);
    if (!back) groups.seek(spot.start);
    groups.approach(left, back);
    count = groups.count();
    spot = {groups.start(), back ? count - left : left};
    if (back && groups.passed()) end = groups.passed();
    if (back || level == 0) continue;
    groups.next();
    end = groups.there() ? std::optional(groups.start()) : std::nullopt;
  }
  return spot;
}

std::uint64_t Levels::before(const Ulid& start) {
  std::uint64_t sum = 0;
  Ulid from;
  for (int level = std::max(reader_.height() - 1, 0); level >= 0; --level) {
    auto every = reader_.counts(every_id, 0, level);
    every.seek_back(start);
    auto group = every.there() ? every.start() : Ulid{};
    Groups groups(reader_, tally_, level);
    if (from < group) groups.seek(from);
    for (; groups.there() && groups.start() < group; groups.next()) sum += groups.count();
    from = group;
  }
  return sum;
}

}  // namespace quire::bitmap_index
