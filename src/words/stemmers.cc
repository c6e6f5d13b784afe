#include "words/stemmers.h"

#include <libstemmer.h>

#include <algorithm>
#include <new>

namespace quire::words {
namespace {

// By code. libstemmer takes the codes as names.
constexpr std::array<std::string_view, stemmers> codes = {
    "",   "ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "hi", "hu", "hy",
    "id", "it", "lt", "ne", "nl", "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi"};
static_assert(std::is_sorted(codes.begin(), codes.end()));

}  // namespace

std::optional<Stemmer> stemmer_with(std::string_view code) {
  auto at = std::lower_bound(codes.begin(), codes.end(), code);
  if (at == codes.end() || *at != code) return {};
  return static_cast<Stemmer>(at - codes.begin());
}

Stemmer stemmer_of(std::string_view language) {
  auto code = language.substr(0, language.find('-'));
  if (code == "nb" || code == "nn") code = "no";
  return stemmer_with(code).value_or(unstemmed);
}

std::string_view code_of(Stemmer stemmer) {
  return codes.at(stemmer);
}

void Stems::Delete::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

Stems::Stems() = default;
Stems::~Stems() = default;

std::string_view Stems::of(std::string_view word, Stemmer stemmer) {
  if (stemmer == unstemmed) return word;
  auto& made = made_.at(stemmer);
  if (!made) made.reset(sb_stemmer_new(codes[stemmer].data(), nullptr));
  if (!made) throw std::bad_alloc();
  const auto* stem = sb_stemmer_stem(made.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                                     static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  auto size = static_cast<std::size_t>(sb_stemmer_length(made.get()));
  return size == 0 ? word : std::string_view(reinterpret_cast<const char*>(stem), size);
}

}  // namespace quire::words
