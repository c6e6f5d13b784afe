#include "page_index/sql/values.h"

#include <algorithm>
#include <array>

#include "page_index/sql/database/dialect.h"
#include "page_index/sql/database/failure.h"

namespace quire::sql {
namespace {

using change::Phase;

constexpr std::array<std::string_view, 4> phases = {"empty", "building", "following", "lost"};
static_assert(static_cast<std::size_t>(Phase::lost) == 3);

}  // namespace

std::string literal_of(ListFacet facet, FacetValue value) {
  return facet == rating_facet ? std::to_string(value) : literal(list_facets[facet].text(value));
}

std::string literals_of(const Cell& cell) {
  return literal_of(language_facet, cell[language_facet]) + ", " +
         literal_of(rating_facet, cell[rating_facet]);
}

std::string_view text_of(Phase phase) {
  return phases[static_cast<std::size_t>(phase)];
}

Ulid id_of(const std::string& bytes) {
  if (bytes.size() != Ulid::size) throw damaged("an id of another length");
  Ulid id;
  std::copy(bytes.begin(), bytes.end(), id.bytes.begin());
  return id;
}

FacetValue language_of(std::string_view text) {
  auto value = list_facets[language_facet].parse(text);
  if (!value) throw damaged("an unknown language");
  return *value;
}

FacetValue rating_of(long long stars) {
  auto value = list_facets[rating_facet].parse(std::to_string(stars));
  if (!value) throw damaged("an unknown rating");
  return *value;
}

Cell cell_of(std::string_view language, long long rating) {
  return {language_of(language), rating_of(rating)};
}

Phase phase_of(const std::string& text) {
  auto phase = std::find(phases.begin(), phases.end(), text);
  if (phase == phases.end()) throw damaged("an unknown phase");
  return static_cast<Phase>(phase - phases.begin());
}

}  // namespace quire::sql
