// The values of a comment, as the index keeps them.
#include <algorithm>

#include "bitmap_index/reading/selection.h"

namespace quire::bitmap_index {
namespace {

void add_value(std::vector<Value>& values, std::uint64_t hash_key, FacetNumber facet,
               const AttributeValue& value) {
  auto add_text = [&](const std::string& text) {
    values.push_back({facet, code_of_text(hash_key, text), 0, false, text});
  };
  auto add_number = [&](std::int64_t number) {
    auto code = encode_number(number);
    values.push_back({facet, code.code, code.rest, true});
  };
  if (const auto* flag = std::get_if<bool>(&value)) {
    values.push_back({facet, *flag ? Code{1} : Code{0}});
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    add_number(*number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    add_text(*text);
  } else {
    for (const auto& tag : std::get<std::vector<std::string>>(value)) add_text(tag);
  }
}

}  // namespace

std::vector<Value> values_of(std::uint64_t hash_key, const Schema& schema, const Comment& comment,
                             bool built) {
  std::vector<Value> values;
  for (const auto& each : schema.facets()) {
    using State = FacetStatus::State;
    if (each.status.state == State::dropping) continue;
    if (each.status.state == State::building && !built) continue;
    if (each.number == language_number) {
      values.push_back(
          {each.number, code_of_text(hash_key, comment.language), 0, false, comment.language});
    } else if (each.number == rating_number) {
      auto code = encode_number(comment.rating);
      values.push_back({each.number, code.code, code.rest, true});
    } else {
      auto attribute = comment.attributes.find(each.facet().name);
      bool has = attribute != comment.attributes.end() && fits(each.facet(), attribute->second);
      if (has) add_value(values, hash_key, each.number, attribute->second);
    }
  }
  auto by_code = [](const Value& a, const Value& b) {
    return std::pair(a.facet, a.code) < std::pair(b.facet, b.code);
  };
  auto same = [](const Value& a, const Value& b) { return a.facet == b.facet && a.code == b.code; };
  std::sort(values.begin(), values.end(), by_code);
  values.erase(std::unique(values.begin(), values.end(), same), values.end());
  return values;
}

}  // namespace quire::bitmap_index
