#include "mapping/pictures.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/limits.h"
#include "mapping/path.h"
#include "mapping/values/words.h"
#include "model/additions.h"

namespace quire {
namespace {

bool begins_address(std::string_view text) {
  for (auto scheme : {"http:", "https:", "//"})
    if (text.starts_with(scheme)) return true;
  return false;
}

// Whether a part of the text ends at a run of separators, behind which `rest` comes. An address may
// have a comma, a semicolon and, where nobody encoded it, a blank: behind it the next one begins.
bool ends_part(std::string_view part, std::string_view run, std::string_view rest) {
  if (part.empty() || rest.empty() || begins_address(rest)) return true;
  if (run.find_first_of("|\"\r\n") != run.npos) return true;
  return !begins_address(part) && run.find_first_of(" \t\f\v") != run.npos;
}

std::vector<std::string> divided(std::string_view text) {
  constexpr std::string_view separators = " \t\f\v\r\n|\",;";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.find_first_of(separators, at), text.size());
    at = std::min(text.find_first_not_of(separators, end), text.size());
    auto part = text.substr(begin, end - begin);
    if (!ends_part(part, text.substr(end, at - end), text.substr(at))) continue;
    // Of a list in JSON, its brackets are no addresses.
    if (part.find_first_not_of("[]") != part.npos) parts.emplace_back(part);
    begin = at;
  }
  return parts;
}

std::string secure(std::string address) {
  if (address.starts_with("//")) return "https:" + address;
  if (address.starts_with("http:")) return "https:" + address.substr(5);
  return address;
}

void add_picture(std::string address, const MappedField& field, Pictures& out) {
  if (field.replace)
    address = replaced(std::move(address), field.replace->first, field.replace->second);
  address = secure(std::move(address));
  if (address.size() > limits::picture_url_bytes || !host_of(address)) {
    ++out.bad;
  } else if (out.addresses.size() == limits::pictures) {
    ++out.further;
  } else {
    out.addresses.push_back(std::move(address));
  }
}

void add_pictures(const boost::json::value& value, const MappedField& field, Pictures& out) {
  auto text = text_of(value);
  const auto* object = value.if_object();
  if (object && !field.member.empty()) {
    Record within;
    within.members = *object;
    text.reset();
    each_at(within, field.member, [&](const boost::json::value& member) {
      text = text_of(member);
      return text.has_value();
    });
  }
  if (!text && value.is_object()) ++out.bad;
  for (auto& address : divided(text.value_or(""))) add_picture(std::move(address), field, out);
}

}  // namespace

Pictures pictures_of(const Record& record, const MappedField& field) {
  Pictures out;
  for (const auto& column : field.columns) {
    each_at(record, column, [&](const boost::json::value& value) {
      add_pictures(value, field, out);
      return false;
    });
  }
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace quire
