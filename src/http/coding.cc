#include "http/coding.h"

#include <array>
#include <boost/beast/core/string.hpp>
#include <optional>

#include "http/accept.h"

namespace quire::http {
namespace {

constexpr std::array all = {Coding::zstd, Coding::gzip, Coding::identity};  // the best first

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
    // A client that does not name identity takes it last.
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
