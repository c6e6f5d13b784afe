// Every plan of a typical product, as text, against plans.golden.
// After a change that should change plans, run QUIRE_GOLDEN=write build/…/plan_test and read the
// difference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "plan/tables.h"

namespace quire {
namespace {

std::string joined(const auto& parts) {
  return parts.empty() ? "any" : fmt::format("{}", fmt::join(parts, ","));
}

// "embedded en 1,5: byLangAndRating: …"
std::vector<std::string> all_plans() {
  std::vector<std::string> lines;
  Counts counts = typical_counts();
  for (const auto& [name, costs] : cost_models) {
    for (const std::vector<std::string>& languages :
         {std::vector<std::string>{}, {"en"}, {"de", "en", "fr"}}) {
      for (unsigned ratings = 0; ratings < 32; ++ratings) {
        Plan plan = make_plan(filter_of(languages, ratings), counts, 21, costs);
        lines.push_back(fmt::format("{} {} {}: {}", name, joined(languages),
                                    joined(ratings_of(ratings)), summary(plan)));
      }
    }
  }
  counts.exact = false;
  counts.trusted_age_ms = 4120;
  for (unsigned ratings : {0b00001u, 0b00100u, 0b10100u, 0b11111u}) {
    Plan plan = make_plan(filter_of({"en", "fr"}, ratings), counts, 21, cost_models[1].costs);
    lines.push_back(
        fmt::format("counts of 4 s ago, en,fr {}: {}", joined(ratings_of(ratings)), summary(plan)));
  }
  counts = typical_counts();
  counts.parts = {2, 1, 4, 3};
  for (unsigned ratings : {0b00001u, 0b10100u, 0b11111u}) {
    Plan plan = make_plan(filter_of({"en"}, ratings), counts, 21, cost_models[1].costs);
    lines.push_back(fmt::format("in parts, en {}: {}", joined(ratings_of(ratings)), summary(plan)));
  }
  return lines;
}

std::vector<std::string> golden_lines() {
  std::ifstream in(QUIRE_PLANS);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void write_golden(const std::vector<std::string>& lines) {
  std::ofstream out(QUIRE_PLANS);
  for (const auto& line : lines) out << line << "\n";
  ASSERT_TRUE(out.flush()) << "cannot write " << QUIRE_PLANS;
}

TEST(Plans, AreThoseOfTheGoldenFile) {
  auto lines = all_plans();
  const char* mode = std::getenv("QUIRE_GOLDEN");
  if (mode && mode == std::string_view("write")) write_golden(lines);
  auto golden = golden_lines();
  ASSERT_EQ(golden.size(), lines.size()) << "run with QUIRE_GOLDEN=write to write " << QUIRE_PLANS;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i], golden[i])
        << "line " << i + 1 << "; if that is meant, run with QUIRE_GOLDEN=write";
  }
}

}  // namespace
}  // namespace quire
