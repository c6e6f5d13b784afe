// Generates random but repeatable comments, skewed as in real shops: few products have most of the
// comments, most ratings are 5, and most comments are English.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/generator/random.h"
#include "quire/comment.h"
#include "quire/facet.h"

namespace quire::cli {

struct Generation {
  std::uint64_t comments;
  std::uint64_t products;
  std::uint64_t seed;
  bool attributes = false;  // of generated_facets()
};

class Generator {
 public:
  explicit Generator(const Generation& generation);

  // The next comment, later than the previous one; nothing after the last. The same on every
  // machine.
  std::optional<Comment> next();

 private:
  std::size_t product();
  std::string text(const std::string& language, int rating);

  Generation generation_;
  Random random_;
  Random attributes_;  // its own, so that comments are the same with and without attributes
  std::vector<double> popularity_;  // cumulative
  std::uint64_t made_ = 0;
};

// verified (flag), size (closed choice of 6), country (open choice of 50), tags, helpful (number).
const std::vector<Facet>& generated_facets();

Attributes random_attributes(Random& random, const Comment& comment);

// The languages, authors and sentences of generated comments.
struct Language {
  std::string tag;
  double weight;
};

const std::vector<Language>& languages();
const std::vector<std::string>& authors();
// Sentences that fit a rating; English ones if there are none in the language.
const std::vector<std::string>& phrases(const std::string& language, int rating);

}  // namespace quire::cli
