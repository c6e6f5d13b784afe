#include "http/quality.h"

#include <algorithm>

namespace quire::http {

std::string_view trimmed(std::string_view text) {
  auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view take(std::string_view& text, char separator) {
  auto end = std::min(text.find(separator), text.size());
  auto part = trimmed(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<int> quality(std::string_view text) {
  bool one = text.starts_with('1');
  if (!one && !text.starts_with('0')) return {};
  int thousandths = one ? 1000 : 0;
  text.remove_prefix(1);
  if (text.empty()) return thousandths;
  if (text.front() != '.' || text.size() > 4) return {};
  int unit = 100;
  for (char digit : text.substr(1)) {
    if (digit < '0' || digit > (one ? '0' : '9')) return {};
    thousandths += unit * (digit - '0');
    unit /= 10;
  }
  return thousandths;
}

int weight_in(std::string_view parameters) {
  while (!parameters.empty()) {
    auto each = take(parameters, ';');
    if (each.starts_with("q=") || each.starts_with("Q="))
      return quality(each.substr(2)).value_or(0);
  }
  return whole_weight;
}

}  // namespace quire::http
