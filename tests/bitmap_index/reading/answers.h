// What a plain vector says to a question: for comparison.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "bitmap_index/plain.h"
#include "bitmap_index/reading/counts.h"
#include "bitmap_index/reading/matches.h"
#include "bitmap_index/reading/selection.h"
#include "loop/loop.h"
#include "words/question.h"

namespace quire::bitmap_index {

inline bool plainly_holds(const Term& term, const std::vector<Value>& values) {
  std::vector<Value> own;
  for (const auto& value : values) {
    if (value.facet == term.facet) own.push_back(value);
  }
  auto has = [&](Code code) {
    for (const auto& value : own) {
      if (value.code == code) return true;
    }
    return false;
  };
  auto is_in = [&](const NumberRange& range) {
    for (const auto& value : own) {
      auto number = decode_number({value.code, value.rest});
      if (number >= decode_number(range.low) && number <= decode_number(range.high)) return true;
    }
    return false;
  };
  bool any = term.any_of.empty(), within = term.within.empty();
  for (auto code : term.any_of) any = any || has(code);
  for (const auto& range : term.within) within = within || is_in(range);
  for (auto code : term.all_of) any = any && has(code);
  for (auto code : term.none_of) any = any && !has(code);
  for (const auto& range : term.outside) any = any && !is_in(range);
  return any && within && (!term.no_value || own.empty());
}

inline bool plainly_matches(const Selection& selection, const std::vector<Value>& values) {
  bool all = !selection.nothing;
  for (const auto& term : selection.terms) all = all && plainly_holds(term, values);
  return all;
}

inline bool plainly_matches(const Selection& selection, const PlainId& id) {
  if (!plainly_matches(selection, id.values)) return false;
  return selection.words.empty() ||
         words::matches(words::question_of(selection.words, selection.stemmers), id.terms);
}

inline std::optional<std::int64_t> number_of(const std::vector<Value>& values, FacetNumber facet) {
  for (const auto& value : values) {
    if (value.facet == facet) return decode_number({value.code, value.rest});
  }
  return {};
}

// Whether `a` comes before `b` in the sort.
inline bool plainly_precedes(const Position& a, const Position& b, Sort sort) {
  if (sort == Sort::oldest) return a.id < b.id;
  if (sort != Sort::newest && a.value != b.value) {
    if (!a.value || !b.value) return a.value.has_value();
    return sort == Sort::highest ? *a.value > *b.value : *a.value < *b.value;
  }
  return a.id > b.id;
}

inline std::vector<Position> plain_matches(const Plain& plain, const Question& question) {
  std::vector<Position> found;
  bool by_time = question.sort == Sort::newest || question.sort == Sort::oldest;
  for (const auto& each : plain) {
    if (!plainly_matches(question.selection, each)) continue;
    Position position{each.id};
    if (!by_time) position.value = number_of(each.values, question.sort_by);
    found.push_back(position);
  }
  std::sort(found.begin(), found.end(), [&](const Position& a, const Position& b) {
    return plainly_precedes(a, b, question.sort);
  });
  return found;
}

inline ValueCounts plain_counts(const Plain& plain, const Selection& selection,
                                const CountedFacet& facet) {
  std::map<Code, std::uint64_t> counts;
  ValueCounts all;
  for (const auto& each : plain) {
    if (!plainly_matches(selection, each)) continue;
    bool some = false;
    for (const auto& value : each.values) {
      if (value.facet != facet.facet) continue;
      ++counts[value.code];
      some = true;
      if (facet.type != FacetType::number) continue;
      auto number = decode_number({value.code, value.rest});
      if (!all.extremes) all.extremes = {number, number};
      all.extremes->first = std::min(all.extremes->first, number);
      all.extremes->second = std::max(all.extremes->second, number);
    }
    all.ids += some ? 1 : 0;
  }
  for (auto [code, ids] : counts) all.values.push_back({code, ids});
  return all;
}

// `facets` have the counts that a plain vector has, whether or not they are kept.
inline void compare_counts(Reader& reader, const Plain& plain, const Selection& selection,
                           const std::vector<PlainFacet>& facets, Keeping keeping) {
  std::vector<CountedFacet> asked;
  for (const auto& facet : facets) asked.push_back({facet.number, facet.type});
  for (const auto& facet : facets) asked.push_back({facet.number, facet.type, false});
  asked.push_back({99, FacetType::number});
  for (auto under : {Under::other_facets, Under::whole_filter}) {
    Work work;
    auto counts = wait(count_values(reader, selection, asked, under, work, keeping));
    ASSERT_EQ(counts.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      bool others = under == Under::other_facets && !selection.nothing;
      auto rest = others ? selection.without(asked[i].facet) : selection;
      auto expected = plain_counts(plain, rest, asked[i]);
      if (!asked[i].values) expected.values.clear();
      ASSERT_EQ(counts[i].values, expected.values) << i;
      ASSERT_EQ(counts[i].ids, expected.ids) << i;
      ASSERT_EQ(counts[i].extremes, expected.extremes) << i;
    }
  }
}

}  // namespace quire::bitmap_index
