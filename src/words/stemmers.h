// Snowball's stemmers: one form for the forms of a word in a language ("fit" of "fits").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

struct sb_stemmer;

namespace quire::words {

// Which stemmer a comment's words go through, as a number of this program. A store keeps codes.
using Stemmer = std::uint8_t;
inline constexpr Stemmer unstemmed = 0;  // of languages without a stemmer, and of unknown ones
inline constexpr std::size_t stemmers = 29;

// Several of them: bit i is stemmer i.
using Stemmers = std::uint32_t;
static_assert(stemmers <= 32);
inline constexpr Stemmers only(Stemmer stemmer) {
  return Stemmers{1} << stemmer;
}
inline constexpr Stemmers all_stemmers = (Stemmers{1} << stemmers) - 1;

// The stemmer of a BCP 47 tag; script and region do not matter. Thread-safe.
Stemmer stemmer_of(std::string_view language);
// Its language, as ISO 639 has it: "en"; "no" for all Norwegian. "" of `unstemmed`. Thread-safe.
std::string_view code_of(Stemmer stemmer);
// Absent: no stemmer has this code. Thread-safe.
std::optional<Stemmer> stemmer_with(std::string_view code);

// Finds stems. One thread at a time: each stemmer that was asked has memory of its own.
class Stems {
 public:
  Stems();
  ~Stems();

  // The stem of a word in small letters without accents, UTF-8. The word itself: the stemmer has
  // no other form. It lives until the next call, or as long as `word`. Throws std::bad_alloc.
  std::string_view of(std::string_view word, Stemmer stemmer);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::array<std::unique_ptr<sb_stemmer, Delete>, stemmers> made_;
};

}  // namespace quire::words
