#include "cli/generator/generator.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace quire::cli {
namespace {

constexpr std::uint64_t first_ms = 1'420'070'400'000;  // 2015-01-01
constexpr std::uint64_t last_ms = 1'735'689'600'000;   // 2025-01-01

struct Rating {
  int stars;
  double weight;
};
const std::vector<Rating> ratings = {{5, 0.58}, {4, 0.17}, {3, 0.08}, {2, 0.05}, {1, 0.12}};

}  // namespace

Generator::Generator(const Generation& generation)
    : generation_(generation), random_(generation.seed), attributes_(~generation.seed) {
  double sum = 0;
  for (std::uint64_t i = 0; i < generation.products; ++i) {
    popularity_.push_back(sum += 1 / std::pow(static_cast<double>(i + 1), 1.1));  // Zipf
  }
}

std::size_t Generator::product() {
  double point = random_.uniform() * popularity_.back();
  return static_cast<std::size_t>(
      std::lower_bound(popularity_.begin(), popularity_.end() - 1, point) - popularity_.begin());
}

std::string Generator::text(const std::string& language, int rating) {
  const auto& sentences = phrases(language, rating);
  // Most comments are short, a few are long.
  auto count = static_cast<std::size_t>(1 + std::floor(-3.5 * std::log(1 - random_.uniform())));
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 40); ++i) {
    if (i > 0) text += i % 5 == 0 ? "\n" : " ";
    text += sentences[random_.below(sentences.size())];
  }
  return text;
}

std::optional<Comment> Generator::next() {
  if (made_ == generation_.comments) return {};
  double part =
      (static_cast<double>(made_) + random_.uniform()) / static_cast<double>(generation_.comments);
  ++made_;
  auto ms = first_ms + static_cast<std::uint64_t>(part * static_cast<double>(last_ms - first_ms));
  std::array<std::uint8_t, 10> entropy;
  for (auto& byte : entropy) byte = static_cast<std::uint8_t>(random_.bits());
  Comment comment{.id = Ulid::make(ms, entropy)};
  comment.product = "product-" + std::to_string(product() + 1);
  comment.language = random_.pick(languages()).tag;
  comment.rating = random_.pick(ratings).stars;
  if (random_.uniform() < 0.9) comment.author = authors()[random_.below(authors().size())];
  if (random_.uniform() < 0.8) {
    const auto& titles = phrases(comment.language, comment.rating);
    comment.title = titles[random_.below(titles.size())];
    if (comment.title.ends_with('.')) comment.title.pop_back();
  }
  if (random_.uniform() < 0.95) comment.text = text(comment.language, comment.rating);
  if (generation_.attributes) comment.attributes = random_attributes(attributes_, comment);
  return comment;
}

}  // namespace quire::cli
