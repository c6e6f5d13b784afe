#include "http/html/labels.h"

#include "base/text.h"
#include "model/filter.h"

namespace quire::http {

std::string facet_label(const Texts& texts, std::string_view facet) {
  if (facet == "language") return texts["language"];
  if (facet == "rating") return texts["rating"];
  if (const auto* text = texts.find("facet_" + std::string(facet))) return *text;
  std::string out(facet);
  for (auto& each : out) {
    if (each == '_') each = ' ';
  }
  if (out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string value_label(const Texts& texts, std::string_view facet, FacetType type,
                        const std::string& value) {
  if (facet == "language") return texts.language(value);
  if (facet == "country") return texts.country(value);
  if (facet == "rating" && value.size() == 1)
    return texts.counted("stars", static_cast<std::uint64_t>(value[0] - '0'));
  if (type == FacetType::flag) return texts[value == "true" ? "yes" : "no"];
  if (type == FacetType::number)
    if (auto number = parse_integer<std::int64_t>(value)) return number_label(texts, *number);
  return value;
}

std::string number_label(const Texts& texts, std::int64_t number) {
  auto size = static_cast<std::uint64_t>(number < 0 ? -number : number);
  return (number < 0 ? "-" : "") + texts.number(size);
}

std::string reply_label(const Texts& texts, const std::string& author) {
  return author.empty() ? texts["reply_of_shop"] : texts.with("reply_of", {{"NAME", author}});
}

std::uint64_t helpful_of(const Comment& comment) {
  auto found = comment.attributes.find(helpful_name);
  if (found == comment.attributes.end()) return 0;
  const auto* number = std::get_if<std::int64_t>(&found->second);
  return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

std::string sort_label(const Texts& texts, Sort sort, std::string_view facet) {
  if (!sorts_by_value(sort)) return texts[sort == Sort::newest ? "sort_newest" : "sort_oldest"];
  bool highest = sort == Sort::highest;
  if (facet == helpful_name && highest) return texts["sort_most_helpful"];
  if (facet == "rating") return texts[highest ? "sort_highest_rated" : "sort_lowest_rated"];
  return texts.with(highest ? "sort_highest" : "sort_lowest",
                    {{"FACET", facet_label(texts, facet)}});
}

}  // namespace quire::http
