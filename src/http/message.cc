#include "http/message.h"

#include <fmt/format.h>

#include <boost/beast/core/string.hpp>

#include <array>

#include "base/hash.h"
#include "http/accept.h"

namespace quire::http {

std::string Request::joined_lines(Field field) const {
  auto [line, end] = headers->equal_range(field);
  if (line == end) return {};
  std::string out(line->value());
  while (++line != end) out.append(",").append(line->value());
  return out;
}

bool Request::has_element(Field field, std::string_view element) const {
  auto [line, end] = headers->equal_range(field);
  for (; line != end; ++line) {
    for (std::string_view rest = line->value(); !rest.empty();)
      if (boost::beast::iequals(take(rest, ','), element)) return true;
  }
  return false;
}

bool Request::has(std::string_view tag) const {
  if (tag.empty()) return false;
  auto quoted = tag.substr(tag.find('"'));
  auto [line, end] = headers->equal_range(Field::if_none_match);
  return std::any_of(line, end, [&](const auto& each) {
    std::string_view known = each.value();
    return known == "*" || known.find(quoted) != known.npos;
  });
}

Coding Request::best_coding() const {
  return http::best_coding(joined_lines(Field::accept_encoding));
}

void Response::tag_by(std::string_view content) {
  tag = fmt::format("W/\"{:016x}\"", long_hash(content));
}

Response redirect(unsigned status, std::string_view address) {
  Response response{.status = status, .own = status == 303};
  response.add("Location", address);
  return response;
}

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

void add_security_headers(std::string& head, const Response& response) {
  bool page = response.type.starts_with("text/html");
  auto add = [&](const auto&... texts) { (head.append(std::string_view(texts)), ...); };
  add("X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: ",
      response.for_other_origins ? "cross-origin" : "same-origin", "\r\nReferrer-Policy: ",
      !page || response.hides_host ? "no-referrer"
      : response.own               ? "strict-origin"  // its address may have a ticket
                                   : "strict-origin-when-cross-origin",
      "\r\nContent-Security-Policy: default-src 'none'; ",
      page ? "style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
             "base-uri 'none'; img-src 'self'"
           : "",
      page ? std::string_view(response.picture_hosts) : "", page ? "; " : "", "frame-ancestors ",
      response.frame_ancestors.empty() ? std::string_view("'none'") : response.frame_ancestors,
      "\r\n");
}

}  // namespace quire::http
