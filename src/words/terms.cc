#include "words/terms.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "words/each_term.h"

namespace quire::words {
namespace {

constexpr std::size_t hash_letters = max_term - kept_of_long;
static_assert(hash_letters * 4 == 64);  // bits of the hash

bool is_inner_byte(char byte) {  // of a character in UTF-8
  return (byte & 0xC0) == 0x80;
}

}  // namespace

std::string term_of(std::string_view form) {
  if (form.size() <= max_term) return std::string(form);
  auto kept = kept_of_long;
  while (is_inner_byte(form[kept])) --kept;
  std::string term(form.substr(0, kept));
  auto hash = long_hash(form);
  for (std::size_t i = 0; i < hash_letters; ++i, hash <<= 4)
    term += static_cast<char>('A' + (hash >> 60));
  return term;
}

std::string term_of(std::string_view form, Stems& stems, Stemmer stemmer) {
  return term_of(form.size() > max_term ? form : stems.of(form, stemmer));
}

std::string hidden_term(Stemmer stemmer) {
  return std::string(1, '\1').append(code_of(stemmer));
}

std::vector<std::string> Terms::of(std::string_view title, std::string_view text,
                                   std::string_view language) {
  auto stemmer = stemmer_of(language);
  std::vector<std::string> terms = {hidden_term(stemmer)};
  add(title, stemmer, terms);
  add(text, stemmer, terms);
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

void Terms::add(std::string_view text, Stemmer stemmer, std::vector<std::string>& terms) {
  each_term(text, stemmer, cutter_, stems_,
            [&](std::string term, auto, auto) { terms.push_back(std::move(term)); });
}

}  // namespace quire::words
