#include "store/dynamodb/adopted/mapping/key_pattern.h"

#include <fmt/format.h>

#include <algorithm>

namespace quire::adopted {
namespace {

Error no_key_pattern(std::string_view text) {
  return {ErrorCode::invalid_parameter,
          fmt::format("\"{}\" is no pattern of an index's partition key. Write {{product}} once, "
                      "{{language}} and {{rating}} where the key has them, and the text around "
                      "them, such as \"PRODUCT#{{product}}/{{language}}\".",
                      text)};
}

}  // namespace

Result<KeyPattern> KeyPattern::parse(std::string_view text) {
  constexpr std::pair<std::string_view, Kind> placeholders[] = {
      {"product", Kind::product}, {"language", Kind::language}, {"rating", Kind::rating}};
  KeyPattern out;
  for (auto left = text; !left.empty();) {
    auto open = left.find_first_of("{}");
    if (open > 0) out.pieces_.push_back({Kind::text, std::string(left.substr(0, open))});
    if (open == left.npos) break;
    auto close = left.find('}', open);
    if (left[open] == '}' || close == left.npos) return no_key_pattern(text);
    auto name = left.substr(open + 1, close - open - 1);
    const auto* placeholder = std::find_if(std::begin(placeholders), std::end(placeholders),
                                           [&](const auto& each) { return each.first == name; });
    if (placeholder == std::end(placeholders)) return no_key_pattern(text);
    auto kind = placeholder->second;
    bool twice = std::any_of(out.pieces_.begin(), out.pieces_.end(),
                             [&](const Piece& piece) { return piece.kind == kind; });
    if (twice) return no_key_pattern(text);
    out.pieces_.push_back({kind});
    if (kind == Kind::language) out.keyed_[language_facet] = true;
    if (kind == Kind::rating) out.keyed_[rating_facet] = true;
    left.remove_prefix(close + 1);
  }
  bool product = std::any_of(out.pieces_.begin(), out.pieces_.end(),
                             [](const Piece& piece) { return piece.kind == Kind::product; });
  if (!product) return no_key_pattern(text);
  return out;
}

std::string KeyPattern::key_of(std::string_view product, const Cell& list) const {
  std::string out;
  for (const auto& piece : pieces_) {
    switch (piece.kind) {
      case Kind::text:
        out += piece.text;
        break;
      case Kind::product:
        out += product;
        break;
      case Kind::language:
        out += list_facets[language_facet].text(list[language_facet]);
        break;
      case Kind::rating:
        out += list_facets[rating_facet].text(list[rating_facet]);
        break;
    }
  }
  return out;
}

std::size_t index_by(const FacetSet& keyed) {
  auto at = std::find_if(indexes.begin(), indexes.end(),
                         [&](const Index& each) { return each.keyed == keyed; });
  return static_cast<std::size_t>(at - indexes.begin());
}

}  // namespace quire::adopted
