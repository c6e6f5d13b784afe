// What generated comments are made of.
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
// Sentences for a rating; English ones for a language that has none.
const std::vector<std::string>& phrases(const std::string& language, int rating);

}  // namespace quire::cli
