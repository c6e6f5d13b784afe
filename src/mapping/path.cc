#include "mapping/path.h"

#include <boost/json.hpp>
#include <cmath>

#include "base/text.h"

namespace quire {
namespace {

namespace json = boost::json;

constexpr json::parse_options parse_options{.max_depth = 96};

// Where values go. `enough`: no further one is needed.
struct Visit {
  const EachValue& each;
  Arrays arrays = Arrays::each_element;
  bool enough = false;
};

bool each_within(const json::value& value, std::string_view path, Visit& visit);

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
  bool found = false;
  EachValue compare = [&](const json::value& member) {
    found = text_of(member) == selector.wanted;
    return found;
  };
  Visit visit{compare};
  each_within(value, selector.member, visit);
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

bool each_of_object(const json::object& object, std::string_view path, Visit& visit) {
  if (const auto* whole = object.if_contains(path)) return each_within(*whole, {}, visit);
  for (auto end = name_end(path, 0);; end = name_end(path, end + 1)) {
    auto name = path.substr(0, end), rest = behind(path, end);
    bool found = false;
    const auto* member = end < path.size() ? object.if_contains(name) : nullptr;
    if (member) found = each_within(*member, rest, visit);
    auto selector = member ? std::nullopt : selector_in(name);
    const auto* selected = selector ? object.if_contains(selector->name) : nullptr;
    if (selected) {
      for_elements(*selected, [&](const json::value& element) {
        if (!visit.enough && has_member(element, *selector))
          found = each_within(element, rest, visit) || found;
      });
    }
    if (found || end == path.size()) return found;
  }
}

bool each_of_array(const json::array& array, std::string_view path, Visit& visit) {
  auto end = name_end(path, 0);
  if (auto index = parse_integer<std::uint32_t>(path.substr(0, end)))
    return *index < array.size() && each_within(array[*index], behind(path, end), visit);
  bool found = false;
  for (const auto& element : array) {
    if (visit.enough) break;
    found = each_within(element, path, visit) || found;
  }
  return found;
}

// The object of JSON that a text is.
std::optional<json::object> object_in(const json::value& value) {
  const auto* text = value.if_string();
  if (!text || !text->starts_with('{')) return {};
  boost::system::error_code no_json;
  auto parsed = json::parse(*text, no_json, {}, parse_options);
  if (no_json || !parsed.is_object()) return {};
  return std::move(parsed.get_object());
}

bool each_within(const json::value& value, std::string_view path, Visit& visit) {
  bool whole = path.empty() && visit.arrays == Arrays::whole;
  const auto* array = whole ? nullptr : value.if_array();
  if (array) return each_of_array(*array, path, visit);
  if (path.empty()) {
    visit.enough = visit.each(value);
    return true;
  }
  auto parsed = object_in(value);
  const auto* object = parsed ? &*parsed : value.if_object();
  bool found = object && each_of_object(*object, path, visit);
  auto end = name_end(path, 0);
  // Of XML, an only element is no array, and its own first element.
  if (!found && path.substr(0, end) == "0") found = each_within(value, behind(path, end), visit);
  return found;
}

}  // namespace

bool each_at(const Record& record, std::string_view path, const EachValue& each, Arrays arrays) {
  Visit visit{each, arrays};
  if (each_of_object(record.members, path, visit)) return true;
  if (!record.around) return false;
  auto end = name_end(path, 0);
  for (auto around = record.around->rbegin(); around != record.around->rend(); ++around) {
    if (around->first != path.substr(0, end)) continue;
    if (end < path.size() && each_of_object(around->second, behind(path, end), visit)) return true;
  }
  return false;
}

void add_first_names(std::string_view path, std::set<std::string, std::less<>>& names) {
  names.emplace(path);
  for (auto end = name_end(path, 0);; end = name_end(path, end + 1)) {
    auto name = path.substr(0, end);
    names.emplace(name);
    if (auto selector = selector_in(name)) names.emplace(selector->name);
    if (end == path.size()) return;
  }
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
      // Beyond these a number of JSON has lost digits: two ids would be one.
      constexpr double exact = 9007199254740992;  // 2 to the 53rd
      if (!(std::abs(value.get_double()) < exact)) return {};
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
