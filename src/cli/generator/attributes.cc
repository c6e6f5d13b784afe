#include "cli/generator/generator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace quire::cli {
namespace {

struct Size {
  std::string name;
  double weight;
};
const std::vector<Size> sizes = {{"M", 0.30},  {"L", 0.27},  {"S", 0.18},
                                 {"XL", 0.13}, {"XS", 0.06}, {"XXL", 0.06}};

// By number of customers.
constexpr std::string_view countries[] = {
    "US", "DE", "GB", "FR", "ES", "JP", "CA", "IT", "AU", "AT", "CH", "MX", "NL",
    "IN", "BR", "SA", "AE", "EG", "IL", "PL", "SE", "BE", "IE", "DK", "NO", "FI",
    "PT", "CZ", "NZ", "AR", "CL", "CO", "GR", "HU", "RO", "SK", "SI", "HR", "LT",
    "LV", "EE", "LU", "SG", "MY", "TH", "KR", "TW", "ZA", "MA", "TR"};
static_assert(std::size(countries) == 50);

const std::map<std::string_view, std::string_view> homes = {
    {"de", "DE"}, {"fr", "FR"}, {"es", "ES"}, {"ja", "JP"}, {"ar", "SA"}, {"he", "IL"}};

constexpr std::string_view praise[] = {"gift",  "quality", "comfort", "design",
                                       "value", "fit",     "fast",    "durable"};
constexpr std::string_view blame[] = {"broken", "late", "noisy", "smell", "fit", "support"};

// Falls with the rank of a row, as the popularity of products does.
std::size_t skewed(Random& random, std::size_t end) {
  return static_cast<std::size_t>(std::pow(static_cast<double>(end + 1), random.uniform())) - 1;
}

std::string country(Random& random, const std::string& language) {
  auto home = homes.find(language);
  if (home != homes.end() && random.uniform() < 0.8) return std::string(home->second);
  return std::string(
      countries[std::min(skewed(random, std::size(countries)), std::size(countries) - 1)]);
}

std::vector<std::string> tags(Random& random, int rating) {
  std::vector<std::string> out;
  auto add = [&](const auto& words) {
    std::string word(words[std::min(skewed(random, std::size(words)), std::size(words) - 1)]);
    if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(std::move(word));
  };
  for (auto left = random.below(4); left > 0; --left) rating >= 3 ? add(praise) : add(blame);
  return out;
}

// Most comments have no vote, a few have hundreds.
std::int64_t votes(Random& random, int rating) {
  double interest = rating <= 2 ? 1.3 : 1.0;
  double found = std::pow(random.uniform(), 4) * 7 * interest - 1;
  return found <= 0 ? 0 : static_cast<std::int64_t>(std::exp(found));
}

}  // namespace

const std::vector<Facet>& generated_facets() {
  static const std::vector<Facet> facets = {
      {"verified", FacetType::flag},
      {"size", FacetType::choice, {"XS", "S", "M", "L", "XL", "XXL"}},
      {"country", FacetType::choice},
      {"tags", FacetType::tags},
      {"helpful", FacetType::number}};
  return facets;
}

Attributes random_attributes(Random& random, const Comment& comment) {
  Attributes out;
  out["verified"] = random.uniform() < (comment.rating <= 2 ? 0.6 : 0.85);
  if (random.uniform() < 0.85) out["size"] = random.pick(sizes).name;
  out["country"] = country(random, comment.language);
  auto words = tags(random, comment.rating);
  if (!words.empty()) out["tags"] = std::move(words);
  out["helpful"] = votes(random, comment.rating);
  return out;
}

}  // namespace quire::cli
