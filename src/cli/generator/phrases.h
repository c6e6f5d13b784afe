// The languages, authors and sentences of generated comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quire::cli {

struct Language {
  std::string tag;
  double weight;
};

const std::vector<Language>& languages();
const std::vector<std::string>& authors();
// Sentences that fit a rating; English ones if there are none in the language.
const std::vector<std::string>& phrases(const std::string& language, int rating);

}  // namespace quire::cli
