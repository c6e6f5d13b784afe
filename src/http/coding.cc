#include "http/coding.h"

#include <array>
#include <boost/beast/core/string.hpp>
#include <optional>

namespace quire::http {
namespace {

constexpr std::array all = {Coding::zstd, Coding::gzip, Coding::identity};  // the best first

std::string_view trimmed(std::string_view text) {
  auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// Removes the part before the separator from the text, and returns it without spaces around it.
std::string_view take(std::string_view& text, char separator) {
  auto end = std::min(text.find(separator), text.size());
  auto part = trimmed(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// A quality in thousandths: "0.5" is 500. At most three digits follow the point.
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

// The quality of "gzip;q=0.5", of which `part` is what follows the name.
std::optional<int> weight(std::string_view part) {
  part = trimmed(part);
  if (part.empty()) return 1000;
  if (!part.starts_with("q=") && !part.starts_with("Q=")) return {};
  return quality(part.substr(2));
}

bool is(Coding coding, std::string_view name) {
  auto same = [&](std::string_view other) { return boost::beast::iequals(name, other); };
  if (coding == Coding::identity) return same("identity");
  return same(coding_name(coding)) || (coding == Coding::gzip && same("x-gzip"));
}

}  // namespace

std::string_view coding_name(Coding coding) {
  constexpr std::string_view names[] = {"", "gzip", "zstd"};
  return names[static_cast<std::size_t>(coding)];
}

Coding best_coding(std::string_view accept_encoding) {
  std::array<std::optional<int>, all.size()> qualities;
  std::optional<int> others;  // the quality of *
  while (!accept_encoding.empty()) {
    auto part = take(accept_encoding, ',');
    auto name = take(part, ';');
    auto given = weight(part);
    if (!given) continue;
    if (name == "*") others = given;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is(all[i], name)) qualities[i] = given;
  }
  Coding best = Coding::identity;
  int best_quality = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Identity is taken by who does not name it, but rather anything else.
    int quality = qualities[i].value_or(all[i] == Coding::identity ? 0 : others.value_or(0));
    if (quality <= best_quality) continue;
    best = all[i];
    best_quality = quality;
  }
  return best;
}

std::string tag_in(Coding coding, std::string_view tag) {
  std::string out(tag);
  if (coding != Coding::identity && !tag.starts_with("W/"))
    out.insert(out.size() - 1, "-" + std::string(coding_name(coding)));
  return out;
}

std::string without_coding(std::string_view tag) {
  for (std::string_view ending : {"-gzip\"", "-zstd\""}) {
    if (tag.ends_with(ending)) return std::string(tag.substr(0, tag.size() - ending.size())) + '"';
  }
  return std::string(tag);
}

}  // namespace quire::http
