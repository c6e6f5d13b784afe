// Letters as they are compared: without case, accents and differences of form.
#pragma once

#include <unicode/normalizer2.h>

namespace quire {

// Takes a letter apart into what is compared: small letters without differences of form (full
// width, ligatures, mathematical letters), and marks. Invisible characters become nothing. Both
// normalizers live as long as the program, and are thread-safe.
const icu::Normalizer2& case_and_form();
// Joins letters and marks again (Unicode's form C).
const icu::Normalizer2& composition();

// Whether a mark is above, below or through its letter, or a vowel of Hebrew or Arabic. Other
// marks, such as the vowels of Indic scripts and the voicing of kana, are parts of their letters.
bool is_accent(UChar32 mark);

// Of a small letter with a stroke, which Unicode does not take apart, the letter without it; "i" of
// the Turkish letter without a dot; of a digit of any script 0 to 9; of all else itself.
UChar32 plain_letter(UChar32 c);

// The line that lengthens Arabic words.
inline constexpr UChar32 arabic_line = 0x0640;

}  // namespace quire
