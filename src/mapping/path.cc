#include "mapping/path.h"

#include <boost/json.hpp>
#include <cmath>

#include "base/text.h"

namespace quire {
namespace {

namespace json = boost::json;

bool each_within(const json::value& value, std::string_view path, const EachValue& each,
                 bool& enough);

// The end of the path's next name: a dot outside of brackets, or the end of the path.
std::size_t name_end(std::string_view path, std::size_t from) {
  bool brackets = false;
  for (auto at = from; at < path.size(); ++at) {
    if (path[at] == '[') brackets = true;
    if (path[at] == ']') brackets = false;
    if (path[at] == '.' && !brackets) return at;
  }
  return path.size();
}

std::string_view behind(std::string_view path, std::size_t end) {
  return end < path.size() ? path.substr(end + 1) : std::string_view();
}

// "meta_key=rating" of "commentmeta[meta_key=rating]".
struct Selector {
  std::string_view name, member, wanted;
};

std::optional<Selector> selector_in(std::string_view name) {
  auto open = name.find('['), equal = name.find('=', open == name.npos ? 0 : open);
  if (open == name.npos || equal == name.npos || !name.ends_with(']')) return {};
  return Selector{name.substr(0, open), name.substr(open + 1, equal - open - 1),
                  name.substr(equal + 1, name.size() - equal - 2)};
}

bool has_member(const json::value& value, const Selector& selector) {
  bool found = false, enough = false;
  each_within(
      value, selector.member,
      [&](const json::value& member) {
        found = text_of(member) == selector.wanted;
        return found;
      },
      enough);
  return found;
}

// The elements of an array, or the one value in its place.
template <class Each>
void for_elements(const json::value& value, Each each) {
  if (const auto* array = value.if_array())
    for (const auto& element : *array) each(element);
  else
    each(value);
}

bool each_of_object(const json::object& object, std::string_view path, const EachValue& each,
                    bool& enough) {
  if (const auto* whole = object.if_contains(path)) return each_within(*whole, {}, each, enough);
  for (auto end = name_end(path, 0);; end = name_end(path, end + 1)) {
    auto name = path.substr(0, end), rest = behind(path, end);
    bool found = false;
    const auto* member = end < path.size() ? object.if_contains(name) : nullptr;
    if (member) found = each_within(*member, rest, each, enough);
    auto selector = member ? std::nullopt : selector_in(name);
    const auto* selected = selector ? object.if_contains(selector->name) : nullptr;
    if (selected) {
      for_elements(*selected, [&](const json::value& element) {
        if (!enough && has_member(element, *selector))
          found = each_within(element, rest, each, enough) || found;
      });
    }
    if (found || end == path.size()) return found;
  }
}

bool each_of_array(const json::array& array, std::string_view path, const EachValue& each,
                   bool& enough) {
  auto end = name_end(path, 0);
  if (auto index = parse_integer<std::uint32_t>(path.substr(0, end)))
    return *index < array.size() && each_within(array[*index], behind(path, end), each, enough);
  bool found = false;
  for (const auto& element : array) {
    if (enough) break;
    found = each_within(element, path, each, enough) || found;
  }
  return found;
}

bool each_within(const json::value& value, std::string_view path, const EachValue& each,
                 bool& enough) {
  if (const auto* array = value.if_array()) return each_of_array(*array, path, each, enough);
  if (path.empty()) {
    enough = each(value);
    return true;
  }
  const auto* object = value.if_object();
  bool found = object && each_of_object(*object, path, each, enough);
  auto end = name_end(path, 0);
  // Of XML, an only element is no array, and its own first element.
  if (!found && path.substr(0, end) == "0")
    found = each_within(value, behind(path, end), each, enough);
  return found;
}

}  // namespace

bool each_at(const Record& record, std::string_view path, const EachValue& each) {
  bool enough = false;
  if (each_of_object(record.members, path, each, enough)) return true;
  auto end = name_end(path, 0);
  for (auto around = record.around.rbegin(); around != record.around.rend(); ++around) {
    if (around->first != path.substr(0, end)) continue;
    if (end < path.size() && each_of_object(around->second, behind(path, end), each, enough))
      return true;
  }
  return false;
}

std::optional<std::string> text_of(const json::value& value) {
  switch (value.kind()) {
    case json::kind::string:
      return std::string(value.get_string());
    case json::kind::int64:
      return std::to_string(value.get_int64());
    case json::kind::uint64:
      return std::to_string(value.get_uint64());
    case json::kind::double_: {
      if (!std::isfinite(value.get_double())) return {};
      std::string digits;
      append_decimal(digits, value.get_double());
      return digits;
    }
    case json::kind::bool_:
      return value.get_bool() ? "true" : "false";
    case json::kind::object: {
      const auto* own = value.get_object().if_contains("#text");
      return own && own->is_string() ? text_of(*own) : std::nullopt;
    }
    default:
      return {};
  }
}

}  // namespace quire
