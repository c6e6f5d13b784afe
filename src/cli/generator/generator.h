// Generates random but repeatable comments, skewed as in real shops: few products have most of the
// comments, most ratings are 5, and most comments are English.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "quire/comment.h"

namespace quire::cli {

struct Generation {
  std::uint64_t comments;
  std::uint64_t products;
  std::uint64_t seed;
};

class Generator {
 public:
  explicit Generator(const Generation& generation);

  // The next comment, later than the previous one; nothing after the last. The same on every
  // machine, because it uses no distribution of the standard library, whose results are not
  // specified.
  std::optional<Comment> next();

 private:
  double uniform();  // 0 to 1
  std::size_t below(std::size_t end);
  std::size_t product();
  std::string text(const std::string& language, int rating);

  Generation generation_;
  std::mt19937_64 random_;
  std::vector<double> popularity_;  // cumulative
  std::uint64_t made_ = 0;
};

}  // namespace quire::cli
