// Lists in memory, the right page of their union, and a feeder that gives them in slices of any
// size.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "merge/merge.h"
#include "model/document.h"

namespace quire {

inline Ulid id_number(std::uint64_t n) {
  return Ulid::make(0, {0, 0, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(n)});
}

// The stored form of any comment with this rating.
inline std::string_view document_rated(int rating) {
  static const auto documents = [] {
    std::vector<std::string> made;
    for (int r = 0; r <= 5; ++r)
      made.push_back(encode_document(Comment{{}, "42", "en", std::max(r, 1)}));
    return made;
  }();
  return documents[static_cast<std::size_t>(rating)];
}

struct World {
  std::vector<std::vector<Entry>> lists;
  Order order;

  void add(std::size_t list, Entry entry) { lists[list].push_back(entry); }
  void sort() {
    for (auto& list : lists) sort(list);
  }
  void sort(std::vector<Entry>& list) const {
    std::sort(list.begin(), list.end(),
              [this](const Entry& a, const Entry& b) { return precedes(a.id, b.id, order); });
  }

  // What of `list` lies strictly after `after`.
  std::vector<Entry> rest(std::vector<Entry> list, const std::optional<Ulid>& after) const {
    std::erase_if(list, [&](const Entry& e) { return after && !precedes(*after, e.id, order); });
    return list;
  }

  // The union from `after` on, as a plain sorted vector.
  std::vector<Entry> in_order(const std::optional<Ulid>& after) const {
    std::vector<Entry> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    sort(all);
    return rest(std::move(all), after);
  }
};

// The next slice of a list: how many of the entries that are left, and whether the end is told with
// the last entry.
struct Cut {
  std::size_t entries;
  bool tell_end;
};
// Given the list's number, how many entries are left in it, and whether the last slice was empty.
using Cutter = std::function<Cut(std::size_t list, std::size_t left, bool last_was_empty)>;

struct Fed {
  std::size_t entries = 0;
  bool asked_in_vain = false;      // for a list that had an unseen entry, or whose end was known
  bool lost_its_position = false;  // after() is not where the last slice ended
};

// Feeds `merge` from `world` until its rows are complete.
inline Fed run(Merge& merge, const World& world, const std::optional<Ulid>& after,
               const Cutter& cut) {
  struct Source {
    std::vector<Entry> left;
    std::optional<Ulid> last;
    bool ended = false, was_empty = false;
  };
  std::vector<Source> sources;
  for (const auto& list : world.lists) sources.push_back({world.rest(list, after), after});
  Fed fed;
  for (auto dry = merge.advance(); !dry.empty(); dry = merge.advance()) {
    for (auto list : dry) {
      Source& source = sources[list];
      // A list is dry only when the merge has reached all entries that it was fed.
      fed.asked_in_vain |=
          source.ended ||
          (source.last != after &&
           (!merge.reached() || precedes(*merge.reached(), *source.last, world.order)));
      fed.lost_its_position |= merge.after(list) != source.last;
      auto [count, tell_end] = cut(list, source.left.size(), source.was_empty);
      Slice slice{{source.left.begin(), source.left.begin() + static_cast<std::ptrdiff_t>(count)},
                  false};
      source.left.erase(source.left.begin(),
                        source.left.begin() + static_cast<std::ptrdiff_t>(count));
      source.was_empty = count == 0;
      slice.end = source.ended = source.left.empty() && tell_end;
      if (count > 0) source.last = slice.entries.back().id;
      fed.entries += count;
      merge.feed(list, std::move(slice));
    }
  }
  return fed;
}

}  // namespace quire
