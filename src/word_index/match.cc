#include "word_index/match.h"

#include <algorithm>

#include "word_index/varint.h"
#include "words/terms.h"

namespace quire::word_index {

using bitmap_index::bytes_of;

bitmap_index::Words Matches::of_block(const Runs& runs) {
  bitmap_index::Words block(bitmap_index::words_for(runs.ids()));
  std::size_t at = 0;
  for (auto run : runs.all()) {
    while (run.length > 0) {
      const auto& segment = segment_of(run.slot);
      auto first = run.slot - segment.start;
      auto count = std::min(run.length, segment.length - first);
      bitmap_index::copy_bits(block.data(), at, bytes_of(bits_of(segment)), first, count);
      at += count;
      run = {run.slot + count, run.length - count};
    }
  }
  return block;
}

const Segment& Matches::segment_of(Slot slot) const {
  auto behind = std::upper_bound(segments_.begin(), segments_.end(), slot,
                                 [](Slot at, const Segment& each) { return at < each.start; });
  if (behind == segments_.begin()) damaged();
  const auto& segment = *std::prev(behind);
  if (slot - segment.start >= segment.length) damaged();
  return segment;
}

const Matches::Bits& Matches::bits_of(const Segment& segment) {
  auto [known, fresh] = known_.try_emplace(segment.start);
  if (!fresh) return known->second;
  auto size = bitmap_index::words_for(segment.length);
  Answer answer{TermsOfSegment(rows_, segment.start), size};
  Bits bits(size, ~std::uint64_t{0});
  bool some = true;
  for (const auto& word : question_.words) {
    for (const auto& forms : word.all)
      some = some && bitmap_index::keep_words(bits, bytes_of(bits_of(forms, answer)));
  }
  if (!some) std::fill(bits.begin(), bits.end(), 0);
  return known->second = std::move(bits);
}

Matches::Bits Matches::bits_of(const std::vector<words::Form>& forms, Answer& answer) const {
  Bits any(answer.size);
  for (const auto& form : forms) bitmap_index::add_words(any, bytes_of(bits_of(form, answer)));
  return any;
}

Matches::Bits Matches::bits_of(const words::Form& form, Answer& answer) const {
  Bits bits(answer.size);
  auto& terms = answer.terms;
  auto wanted = [&] {
    return form.begins ? terms.term().starts_with(form.term) : terms.term() == form.term;
  };
  bool some = false;
  for (bool found = terms.seek(form.term); found && wanted(); found = terms.next()) {
    terms.add_to(bits);
    some = true;
    if (!form.begins) break;
  }
  if (!some || (form.of & stemmers_) == stemmers_) return bits;
  Bits of(answer.size);
  for (words::Stemmer stemmer = 0; stemmer < words::stemmers; ++stemmer) {
    if (form.of & words::only(stemmer))
      bitmap_index::add_words(of, bytes_of(stemmed(stemmer, answer)));
  }
  bitmap_index::keep_words(bits, bytes_of(of));
  return bits;
}

const Matches::Bits& Matches::stemmed(words::Stemmer stemmer, Answer& answer) {
  auto [known, fresh] = answer.stemmed.try_emplace(stemmer, Bits(answer.size));
  auto term = words::hidden_term(stemmer);
  if (fresh && answer.terms.seek(term) && answer.terms.term() == term)
    answer.terms.add_to(known->second);
  return known->second;
}

}  // namespace quire::word_index
