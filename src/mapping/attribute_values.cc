// The attributes of a record's comment.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "base/limits.h"
#include "base/text.h"
#include "mapping/field_values.h"
#include "mapping/path.h"
#include "mapping/values/flag.h"
#include "mapping/values/words.h"
#include "model/attributes.h"

namespace quire {
namespace {

constexpr std::string_view left_out = "attributes with a value that Quire does not keep";

// Texts of attributes have one line.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

// A word's meaning by the field's values; "*" are others. Absent: it is not listed.
std::optional<std::string> listed(const MappedField& field, const std::string& word) {
  auto found = field.values.find(word);
  if (found == field.values.end()) found = field.values.find("*");
  return found == field.values.end() ? std::nullopt : std::optional(found->second);
}

// A whole number, which may have a fraction of zeros: "12.0".
std::optional<std::int64_t> whole_number(std::string_view text) {
  auto point = text.find('.');
  if (point != text.npos && text.find_first_not_of('0', point + 1) != text.npos) return {};
  auto number = parse_integer<std::int64_t>(text.substr(0, point));
  if (!number || !is_attribute_number(*number)) return {};
  return number;
}

class AttributeReader {
 public:
  AttributeReader(const Record& record, Attributes& out, Remarks& remarks)
      : record_(record), out_(out), remarks_(remarks) {}

  Reason read(const MappedAttribute& mapped) {
    const auto& field = mapped.field;
    switch (mapped.type) {
      case AttributeType::flag:
        return flag(mapped);
      case AttributeType::number:
        number(mapped.name, prose_in(record_, field));
        return {};
      case AttributeType::text:
        text(mapped.name, prose_in(record_, field));
        return {};
      case AttributeType::tags:
        tags(mapped);
        return {};
      case AttributeType::by_value:
        by_value(mapped);
        return {};
      case AttributeType::stored:
        stored(mapped);
        return {};
    }
    return {};
  }

 private:
  // A flag that is false is no attribute.
  Reason flag(const MappedAttribute& mapped) {
    const auto& field = mapped.field;
    auto word = found_in(record_, field).text;
    if (word.empty()) word = field.fallback.value_or("");
    auto meaning = field.values.empty() || word.empty() ? word : listed(field, word);
    auto value = meaning ? flag_of(*meaning) : std::nullopt;
    if (!value)
      return reason_of(
          fmt::format("The flag {} is neither true nor false; list it in values", mapped.name),
          word);
    if (*value) out_.insert_or_assign(mapped.name, true);
    return {};
  }

  void number(const std::string& name, const std::string& text) {
    if (text.empty()) return;
    auto value = whole_number(text);
    if (value)
      out_.insert_or_assign(name, *value);
    else
      leave_out();
  }

  void text(const std::string& name, std::string text) {
    if (text.empty()) return;
    text = one_line(std::move(text));
    if (is_attribute_text(text))
      out_.insert_or_assign(name, std::move(text));
    else
      leave_out();
  }

  // Each value may be a text of several.
  void tags(const MappedAttribute& mapped) {
    std::vector<std::string> found;
    for (const auto& column : mapped.field.columns) {
      each_at(record_, column, [&](const boost::json::value& value) {
        add_tags(text_of(value).value_or(""), mapped.field, found);
        return false;
      });
      if (!found.empty()) break;
    }
    if (found.empty()) add_tags(mapped.field.fallback.value_or(""), mapped.field, found);
    if (!found.empty()) out_.insert_or_assign(mapped.name, std::move(found));
  }

  void add_tags(const std::string& words, const MappedField& field,
                std::vector<std::string>& tags) {
    for (std::size_t at = 0; at <= words.size();) {
      auto end = std::min(words.find_first_of(",;|\n", at), words.size());
      add_tag(cleaned(words.substr(at, end - at)), field, tags);
      at = end + 1;
    }
  }

  void add_tag(std::string tag, const MappedField& field, std::vector<std::string>& tags) {
    if (!tag.empty()) tag = listed(field, tag).value_or(tag);
    tag = one_line(std::move(tag));
    if (tag.empty() || std::find(tags.begin(), tags.end(), tag) != tags.end()) return;
    if (is_attribute_text(tag) && tags.size() < limits::attribute_texts)
      tags.push_back(std::move(tag));
    else
      leave_out();
  }

  // Flags, numbers and arrays of JSON are such.
  void by_value(const MappedAttribute& mapped) {
    const auto& field = mapped.field;
    boost::json::value only;
    std::size_t count = 0;
    for (const auto& column : field.columns) {
      each_at(record_, column, [&](const boost::json::value& value) {
        if (text_of(value).value_or("").empty()) return false;
        only = value;
        ++count;
        return false;
      });
      if (count > 0) break;
    }
    bool plain = count == 1 && field.values.empty() && field.patterns.empty();
    if (count > 1 && field.patterns.empty())
      tags(mapped);
    else if (plain && only.is_bool() && only.get_bool())
      out_.insert_or_assign(mapped.name, true);
    else if (plain && only.is_number() && whole_number(*text_of(only)))
      number(mapped.name, *text_of(only));
    else if (!plain || !only.is_bool())
      text(mapped.name, prose_in(record_, field));
  }

  // A text goes the way of texts, and so does a value that the field changes.
  void stored(const MappedAttribute& mapped) {
    const auto& field = mapped.field;
    boost::json::value found;
    for (const auto& column : field.columns) {
      auto keep = [&](const boost::json::value& value) {
        bool empty = value.is_null() || text_of(value) == "";
        if (!empty) found = value;
        return !empty;
      };
      each_at(record_, column, keep, Arrays::whole);
      if (!found.is_null()) break;
    }
    bool changed = !field.values.empty() || !field.patterns.empty() || field.replace || field.html;
    if (found.is_null() || found.is_string() || changed)
      return text(mapped.name, prose_in(record_, field));
    std::string_view wrong;
    auto value = attribute_of(found, wrong);
    if (value && check_attributes({{mapped.name, *value}}).empty())
      out_.insert_or_assign(mapped.name, std::move(*value));
    else
      leave_out();
  }

  void leave_out() { ++remarks_[std::string(left_out)]; }

  const Record& record_;
  Attributes& out_;
  Remarks& remarks_;
};

}  // namespace

Reason read_attributes(const Record& record, const std::vector<MappedAttribute>& mapped,
                       Attributes& out, Remarks& remarks) {
  AttributeReader reader(record, out, remarks);
  for (const auto& each : mapped)
    if (auto reason = reader.read(each); !reason.empty()) return reason;
  // Together they are over 4 KiB: the last ones go.
  for (auto each = mapped.rbegin(); each != mapped.rend() && !check_attributes(out).empty(); ++each)
    remarks[std::string(left_out)] += out.erase(each->name);
  return {};
}

}  // namespace quire
