#include "model/filter.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace quire {
namespace {

bool has(const std::vector<std::string>& sorted, const std::string& text) {
  return std::binary_search(sorted.begin(), sorted.end(), text);
}

bool has_any(const std::vector<std::string>& sorted, const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const auto& text) { return has(sorted, text); });
}

// The texts that clauses have for a value: of tags several, of other types one.
std::vector<std::string> texts_of(const AttributeValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return {*flag ? "true" : "false"};
  if (const auto* number = std::get_if<std::int64_t>(&value)) return {std::to_string(*number)};
  if (const auto* text = std::get_if<std::string>(&value)) return {*text};
  return std::get<std::vector<std::string>>(value);
}

// Collects what a fingerprint is computed from. Numbers are little-endian.
class Bytes {
 public:
  explicit Bytes(std::string first) : bytes_(std::move(first)) {}

  template <class Number>
  void add(Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(number) >> 8 * i & 0xFF);
  }

  void add(const std::vector<std::string>& texts) {
    add(static_cast<std::uint32_t>(texts.size()));
    for (const auto& text : texts) {
      add(static_cast<std::uint32_t>(text.size()));
      bytes_ += text;
    }
  }

  void add(const std::optional<std::int64_t>& number) {
    bytes_ += static_cast<char>(number.has_value());
    add(number.value_or(0));
  }

  std::uint32_t hash() const {
    return static_cast<std::uint32_t>(XXH3_64bits(bytes_.data(), bytes_.size()));
  }

 private:
  std::string bytes_;
};

// A language of two or three letters has the value that it had before there were scripts and
// regions, so that the cursors of that time stay valid.
void add_value(Bytes& bytes, std::size_t facet, FacetValue value) {
  if (facet == rating_facet) return bytes.add(static_cast<std::uint32_t>(value));
  auto text = list_facets[facet].text(value);
  if (text.size() > 3) {
    bytes.add(~std::uint32_t{0});
    return bytes.add(value);
  }
  std::uint32_t letters = 0;
  for (std::size_t i = 0; i < 3; ++i)
    letters = letters << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
  bytes.add(letters);
}

}  // namespace

bool Clause::matches(const std::optional<AttributeValue>& value) const {
  if (!value) return any_of.empty() && all_of.empty() && !min && !max;
  auto texts = texts_of(*value);
  if (!any_of.empty() && !has_any(any_of, texts)) return false;
  if (has_any(none_of, texts)) return false;
  std::sort(texts.begin(), texts.end());
  if (!std::includes(texts.begin(), texts.end(), all_of.begin(), all_of.end())) return false;
  if (!min && !max) return true;
  const auto* number = std::get_if<std::int64_t>(&*value);
  return number && (!min || *min <= *number) && (!max || *number <= *max);
}

bool Filter::matches(const Cell& cell) const {
  if (nothing) return false;
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    const auto& wanted = values[facet];
    if (!wanted.empty() && !std::binary_search(wanted.begin(), wanted.end(), cell[facet])) {
      return false;
    }
  }
  return true;
}

bool Filter::matches(const Comment& comment) const {
  if (!matches(cell(comment.language, comment.rating))) return false;
  return std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
    return clause.matches(facet_value({clause.name, clause.type}, comment));
  });
}

Filter Filter::without(FacetNumber facet) const {
  Filter left = *this;
  if (facet == language_number) left.values[language_facet].clear();
  if (facet == rating_number) left.values[rating_facet].clear();
  std::erase_if(left.clauses, [&](const Clause& clause) { return clause.number == facet; });
  std::erase(left.contradicted, facet);
  left.nothing = !left.contradicted.empty();
  return left;
}

std::uint32_t fingerprint(const Filter& filter, FacetNumber sort_by) {
  Bytes bytes(filter.product);
  constexpr std::uint32_t separator = 0;  // no product or value contains it
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    bytes.add(separator);
    for (auto value : filter.values[facet]) add_value(bytes, facet, value);
  }
  bool by_facet = sort_by != no_facet && sort_by != rating_number;
  bool more = !filter.clauses.empty() || !filter.words.empty() || filter.nothing;
  if (!more && !by_facet) return bytes.hash();
  bytes.add(separator);
  bytes.add(by_facet ? sort_by : no_facet);
  bytes.add(static_cast<std::uint8_t>(filter.nothing));
  for (const auto& clause : filter.clauses) {
    bytes.add(clause.number);
    for (const auto* texts : {&clause.any_of, &clause.none_of, &clause.all_of}) bytes.add(*texts);
    for (const auto* end : {&clause.min, &clause.max}) bytes.add(*end);
  }
  if (!filter.words.empty()) {
    bytes.add(no_facet);
    bytes.add(filter.words);
  }
  return bytes.hash();
}

}  // namespace quire
