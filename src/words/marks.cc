#include "words/marks.h"

#include <algorithm>
#include <string>

#include "words/each_term.h"

namespace quire::words {
namespace {

// Those that overlap become one; bytes become characters.
std::vector<Mark> in_characters(std::vector<Mark> bytes, std::string_view text) {
  std::sort(bytes.begin(), bytes.end(),
            [](const Mark& a, const Mark& b) { return a.begin < b.begin; });
  std::vector<Mark> marks;
  std::uint32_t at = 0, characters = 0, end = 0;
  auto character = [&](std::uint32_t byte) {
    for (; at < byte; ++at) characters += (text[at] & 0xC0) != 0x80;
    return characters;
  };
  for (std::size_t i = 0; i < bytes.size();) {
    auto begin = bytes[i].begin;
    for (end = bytes[i].end; i < bytes.size() && bytes[i].begin < end; ++i)
      end = std::max(end, bytes[i].end);
    auto first = character(begin);
    marks.push_back({first, character(end)});
  }
  return marks;
}

}  // namespace

Marks::Marks(const Question& question) {
  for (const auto& word : question.words) {
    for (const auto& forms : word.all) {
      for (const auto& form : forms)
        (form.begins ? beginnings_ : whole_).emplace_back(form.term, form.of);
    }
  }
  std::sort(whole_.begin(), whole_.end());
}

bool Marks::looked_for(std::string_view term, Stemmer stemmer) const {
  auto same = std::lower_bound(whole_.begin(), whole_.end(), std::pair(term, Stemmers{0}));
  for (; same != whole_.end() && same->first == term; ++same) {
    if (same->second & only(stemmer)) return true;
  }
  return std::any_of(beginnings_.begin(), beginnings_.end(), [&](const auto& beginning) {
    return (beginning.second & only(stemmer)) && term.starts_with(beginning.first);
  });
}

std::vector<Mark> Marks::in(std::string_view text, std::string_view language) {
  auto stemmer = stemmer_of(language);
  std::vector<Mark> found;
  each_term(text, stemmer, cutter_, stems_,
            [&](const std::string& term, std::uint32_t begin, std::uint32_t end) {
              if (looked_for(term, stemmer)) found.push_back({begin, end});
            });
  return in_characters(std::move(found), text);
}

}  // namespace quire::words
