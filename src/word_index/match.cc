#include "word_index/match.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "word_index/varint.h"
#include "words/terms.h"

namespace quire::word_index {

using bitmap_index::bytes_of;

Matches::Matches(const words::Question& question, words::Stemmers stemmers, RowSource& rows,
                 std::span<const Segment> segments)
    : question_(question),
      stemmers_(stemmers),
      rows_(rows),
      segments_(segments),
      found_(segments.size()) {}

bool Matches::of_block(const Runs& runs, bitmap_index::Words& bits) {
  bits.assign(bitmap_index::words_for(runs.ids()), 0);
  std::size_t at = 0;
  bool some = false;
  for (auto run : runs.all()) {
    while (run.length > 0) {
      auto number = segment_of(run.slot);
      const auto& segment = segments_[number];
      auto first = run.slot - segment.start;
      auto count = std::min(run.length, segment.length - first);
      const auto& found = found_in(number);
      if (has_some(found, first, count)) {
        bitmap_index::copy_bits(bits.data(), at, bytes_of(found.bits), first, count);
        some = true;
      }
      at += count;
      run = {run.slot + count, run.length - count};
    }
  }
  return some && std::any_of(bits.begin(), bits.end(), [](auto word) { return word != 0; });
}

// False: none of these slots matches.
bool Matches::has_some(const Found& found, Slot first, std::uint32_t count) {
  if (found.few.empty()) return found.count > 0;
  auto at = std::lower_bound(found.few.begin(), found.few.end(), first);
  return at != found.few.end() && *at - first < count;
}

std::uint64_t Matches::most_of(bitmap_index::Product product) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    bool other = segments_[i].product != 0 && segments_[i].product != product + 1;
    if (!other) most += found_in(i).count;
  }
  return most;
}

void Matches::name(const Runs& runs, std::vector<bool>& segments) const {
  for (auto run : runs.all()) {
    for (auto at = segment_of(run.slot), last = segment_of(run.slot + run.length - 1); at <= last;
         ++at)
      segments[at] = true;
  }
}

std::size_t Matches::segment_of(Slot slot) const {
  auto behind = std::upper_bound(segments_.begin(), segments_.end(), slot,
                                 [](Slot at, const Segment& each) { return at < each.start; });
  if (behind == segments_.begin()) damaged();
  const auto& segment = *std::prev(behind);
  if (slot - segment.start >= segment.length) damaged();
  return static_cast<std::size_t>(behind - segments_.begin()) - 1;
}

const Matches::Found& Matches::found_in(std::size_t segment) {
  auto& found = found_[segment];
  if (found.asked) return found;
  auto bits = answer(segments_[segment]);
  found = {true, bitmap_index::popcount(bits)};
  ++asked_;
  if (found.count == 0) return found;
  found.bits = std::move(bits);
  constexpr std::size_t max_few = 32;
  if (found.count > max_few) return found;
  auto end = found.bits.size() * 64;
  for (auto at = bitmap_index::next_bit(found.bits, 0); at < end;
       at = bitmap_index::next_bit(found.bits, at + 1))
    found.few.push_back(static_cast<Slot>(at));
  return found;
}

Matches::Bits Matches::answer(const Segment& segment) {
  auto size = bitmap_index::words_for(segment.length);
  Answer answer{TermsOfSegment(rows_, segment.start), size};
  Bits bits;  // that have all forms so far
  for (const auto& word : question_.words) {
    for (const auto& forms : word.all) {
      Bits any(size);
      bool some = false;
      for (const auto& form : forms) some |= add(form, answer, any);
      if (!some) return {};
      if (bits.empty())
        bits = std::move(any);
      else if (!bitmap_index::keep_words(bits, bytes_of(any)))
        return {};
    }
  }
  return bits;
}

// Each slot is of one stemmer. So where a form is of most stemmers, the slots of the others go.
bool Matches::add(const words::Form& form, Answer& answer, Bits& bits) const {
  auto wanted = form.of & stemmers_, others = stemmers_ & ~form.of;
  if (others == 0) return add_terms(form, answer.terms, bits);
  Bits own(answer.size);
  if (!add_terms(form, answer.terms, own)) return false;
  bool drops = std::popcount(others) < std::popcount(wanted);
  Bits some(answer.size);
  for (words::Stemmer stemmer = 0; stemmer < words::stemmers; ++stemmer) {
    if ((drops ? others : wanted) & words::only(stemmer))
      bitmap_index::add_words(some, bytes_of(stemmed(stemmer, answer)));
  }
  bool left = drops ? bitmap_index::remove_words(own, bytes_of(some))
                    : bitmap_index::keep_words(own, bytes_of(some));
  if (left) bitmap_index::add_words(bits, bytes_of(own));
  return left;
}

bool Matches::add_terms(const words::Form& form, TermsOfSegment& terms, Bits& bits) {
  auto wanted = [&] {
    return form.begins ? terms.term().starts_with(form.term) : terms.term() == form.term;
  };
  bool some = false;
  for (bool found = terms.seek(form.term); found && wanted(); found = terms.next()) {
    terms.add_to(bits);
    some = true;
    if (!form.begins) break;
  }
  return some;
}

const Matches::Bits& Matches::stemmed(words::Stemmer stemmer, Answer& answer) {
  auto [known, fresh] = answer.stemmed.try_emplace(stemmer, Bits(answer.size));
  auto term = words::hidden_term(stemmer);
  if (fresh && answer.terms.seek(term) && answer.terms.term() == term)
    answer.terms.add_to(known->second);
  return known->second;
}

}  // namespace quire::word_index
