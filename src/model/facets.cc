#include "model/facets.h"

#include <algorithm>
#include <cctype>

#include "base/language_tag.h"
#include "base/text.h"

namespace quire {

Cell list_of(const Index& index, const Cell& cell) {
  Cell list{};
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (index.keyed[facet]) list[facet] = cell[facet];
  }
  return list;
}

std::string list_key(std::string_view product, const Cell& list, std::size_t part) {
  std::string key = "PRODUCT#" + percent_encode(product);
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (list[facet] != any) key.append("/").append(list_facets[facet].text(list[facet]));
  }
  if (part > 0) key += "#part" + std::to_string(part);
  return key;
}

namespace {

constexpr int script_shift = 11, language_shift = 31;
constexpr FacetValue region_bits = 0x7FF, script_bits = 0xFFFFF;
constexpr std::size_t longest_language = std::string_view("mas-Latn-419").size();
constexpr FacetValue letters_region = 1024;  // below: numbers

bool all_from(std::string_view text, char first, char last) {
  return std::all_of(text.begin(), text.end(), [=](char c) { return first <= c && c <= last; });
}

// Five bits a letter, from the left of `size` letters.
FacetValue packed(std::string_view letters, std::size_t size) {
  FacetValue value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 5 | (i < letters.size() ? letters[i] & 31 : 0);
  return value;
}

std::string unpacked(FacetValue value, int size, char case_of) {
  std::string text;
  for (int shift = 5 * (size - 1); shift >= 0; shift -= 5) {
    if (auto letter = value >> shift & 31) text += static_cast<char>((case_of & 0x60) | letter);
  }
  return text;
}

std::optional<FacetValue> parse_script(std::string_view text) {
  bool canonical = text.size() == 4 && all_from(text.substr(0, 1), 'A', 'Z') &&
                   all_from(text.substr(1), 'a', 'z');
  if (!canonical) return {};
  return packed(text, 4);
}

std::optional<FacetValue> parse_region(std::string_view text) {
  if (text.size() == 2 && all_from(text, 'A', 'Z')) return letters_region + packed(text, 2);
  if (text.size() != 3 || !all_from(text, '0', '9')) return {};
  return 1 + (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
}

// Takes the part up to the next hyphen off the text.
std::string_view take_part(std::string_view& text) {
  auto part = text.substr(0, text.find('-'));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

// A tag of BCP 47 (RFC 5646) of language, script and region, in its canonical case.
std::optional<FacetValue> parse_language(std::string_view text) {
  if (text.ends_with('-')) return {};
  auto language = take_part(text);
  if (language.size() < 2 || language.size() > 3 || !all_from(language, 'a', 'z')) return {};
  FacetValue value = packed(language, 3) << language_shift;
  if (text.empty()) return value;
  auto part = take_part(text);
  if (auto script = parse_script(part)) {
    value |= *script << script_shift;
    if (text.empty()) return value;
    part = take_part(text);
  }
  auto region = parse_region(part);
  if (!region || !text.empty()) return {};
  return value | *region;
}

std::string language_text(FacetValue value) {
  std::string text = unpacked(value >> language_shift, 3, 'a');
  if (auto packed_script = value >> script_shift & script_bits) {
    auto script = unpacked(packed_script, 4, 'a');
    script.front() &= ~0x20;
    text += "-" + script;
  }
  auto region = value & region_bits;
  if (region >= letters_region) return text + "-" + unpacked(region, 2, 'A');
  if (region > 0) text += "-" + std::to_string(1000 + region - 1).substr(1);
  return text;
}

std::optional<FacetValue> parse_rating(std::string_view text) {
  if (text.size() != 1 || text[0] < '1' || text[0] > '5') return {};
  return static_cast<FacetValue>(text[0] - '0');
}

std::string rating_text(FacetValue value) {
  return std::to_string(value);
}

}  // namespace

std::optional<std::string> canonical_language(std::string_view text) {
  if (text.size() > longest_language) return {};
  std::string tag(text);
  for (auto& c : tag)
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (auto at = tag.find('-'); at != tag.npos;) {
    auto next = std::min(tag.find('-', at + 1), tag.size());
    bool script = next - at == 5;
    auto end = script ? at + 2 : next;
    for (auto i = at + 1; i < end; ++i)
      tag[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(tag[i])));
    at = next < tag.size() ? next : tag.npos;
  }
  if (!parse_language(tag)) return {};
  auto present = present_tag(tag);
  return parse_language(present) ? present : tag;
}

const std::array<ListFacetRow, facet_count> list_facets = {{
    {"language", 0, parse_language, language_text,
     "a language tag of language, script and region, such as en, pt-BR or zh-Hant"},
    {"rating", 5, parse_rating, rating_text, "a whole number from 1 to 5"},
}};

Cell cell(std::string_view language, int rating) {
  return {parse_language(language).value(), static_cast<FacetValue>(rating)};
}

bool covers(const Cell& list, const Cell& cell) {
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (list[facet] != any && list[facet] != cell[facet]) return false;
  }
  return true;
}

}  // namespace quire
