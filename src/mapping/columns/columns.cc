#include "mapping/columns/columns.h"

#include <boost/json.hpp>
#include <cctype>

#include "model/attributes.h"

namespace quire {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// "title" of "data.title".
std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool Column::named(std::string_view word) const {
  return in_small_letters(last_name(name)).find(word) != std::string::npos;
}

bool Column::is(std::string_view word) const {
  return in_small_letters(last_name(name)) == word;
}

bool Column::begins_with_product() const {
  return all([](std::string_view text) { return in_small_letters(text).starts_with("product"); });
}

double Column::mean_size() const {
  std::size_t bytes = 0;
  for (const auto& value : values) bytes += value.size();
  return static_cast<double>(bytes) / static_cast<double>(std::max<std::size_t>(1, values.size()));
}

bool Column::attribute() const {
  if (others > 0) return others == present && values.size() == present;
  return all([&](const auto& text) {
    return numbers > 0 ? text.find('.') == text.npos : is_attribute_text(text);
  });
}

std::string common_beginning(const std::vector<std::string>& texts, std::string_view ends) {
  if (texts.empty()) return {};
  std::string_view common = texts.front();
  for (const auto& text : texts) {
    auto [end, unused] = std::mismatch(common.begin(), common.end(), text.begin(), text.end());
    common = {common.begin(), end};
  }
  auto last = common.find_last_of(ends);
  return std::string(common.substr(0, last == common.npos ? 0 : last + 1));
}

std::string quoted(std::string_view text) {
  auto out = boost::json::serialize(boost::json::string(text));
  for (auto at = out.find('\x7f'); at != out.npos; at = out.find('\x7f', at))
    out.replace(at, 1, "\\u007f");  // TOML has no such character
  return out;
}

std::string attribute_name(std::string_view name, std::string_view before) {
  std::string out;
  for (char c : name) {
    bool upper = c >= 'A' && c <= 'Z';
    bool letter = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (upper && !out.empty() && out.back() != '_') out += '_';
    out += letter ? lower(c) : '_';
  }
  if (is_reserved(out)) out.insert(0, before);
  return is_attribute_name(out) ? out : "";
}

}  // namespace quire
