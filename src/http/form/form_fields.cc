#include "http/form/form_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <variant>

#include "base/text.h"
#include "http/accept.h"
#include "http/html/labels.h"

namespace quire::http {
namespace {

constexpr std::string_view prefix = "attributes.";

const std::vector<std::string> no_offers;

// The languages that the form offers, besides the writer's own.
constexpr std::string_view languages[] = {"en", "de",    "fr", "es", "it", "nl",
                                          "pl", "pt-BR", "ja", "ar", "und"};

bool contains(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// The text with "," for the commas of other scripts.
std::string with_commas(std::string text) {
  for (std::string_view comma : {"\uFF0C", "\u3001", "\u060C"})
    for (auto at = text.find(comma); at != text.npos; at = text.find(comma, at))
      text.replace(at, comma.size(), ",");
  return text;
}

// The ticked tags and the typed ones, which commas separate; each once.
std::vector<std::string> tags_of(const Typed& typed, std::string_view name) {
  std::vector<std::string> out;
  for (const auto& [key, value] : typed) {
    if (key != name) continue;
    auto commas = with_commas(value);
    for (std::string_view rest = commas; !rest.empty();) {
      auto tag = take(rest, ',');
      if (!tag.empty() && !contains(out, tag)) out.emplace_back(tag);
    }
  }
  return out;
}

// Whether the text is one tag where it is typed.
bool is_typed_tag(const std::string& text) {
  return trimmed(text) == text && with_commas(text).find(',') == text.npos;
}

// "true to size, runs small …", in the direction of the first. There is one at least.
std::string examples_of(const Facet& facet, const std::vector<std::string>& values,
                        const Texts& texts) {
  auto label = [&](const std::string& value) {
    return value_label(texts, facet.name, facet.type, value);
  };
  auto out = label(values[0]);
  if (values.size() > 1) out += fmt::format(", \u2068{}\u2069", label(values[1]));
  return fmt::format("\u2068{} …\u2069", out);
}

void set_attribute(Attributes& out, const Typed& typed, const Facet& field, Faults& faults) {
  auto name = std::string(prefix) + field.name;
  auto text = trimmed(text_of(typed, name));
  if (field.type == FacetType::tags) {
    auto tags = tags_of(typed, name);
    if (!tags.empty()) out[field.name] = std::move(tags);
  } else if (text.empty()) {
    return;
  } else if (field.type == FacetType::flag) {
    out[field.name] = text == "true";
  } else if (field.type == FacetType::number) {
    auto number = parse_integer<std::int64_t>(text);
    if (number)
      out[field.name] = *number;
    else
      faults[name] = "fault_number";
  } else {
    out[field.name] = std::string(text);
  }
}

void add_typed(Typed& typed, std::string_view name, const AttributeValue& value) {
  auto add = [&](std::string text) {
    typed.emplace_back(std::string(prefix).append(name), std::move(text));
  };
  if (const auto* flag = std::get_if<bool>(&value))
    add(*flag ? "true" : "");
  else if (const auto* number = std::get_if<std::int64_t>(&value))
    add(std::to_string(*number));
  else if (const auto* text = std::get_if<std::string>(&value))
    add(*text);
  else
    for (const auto& tag : std::get<std::vector<std::string>>(value)) add(tag);
}

// A form to be filled.
struct Shown {
  Values& form;
  const Typed& typed;
  const Faults& faults;
  const Texts& texts;
  Values* summary = nullptr;
};

// The fault of a field, below it and among those at the top, which lead to it. `id`: the field's in
// the page.
void tell_fault(Shown& shown, Values& field, Name name, const std::string& id,
                std::string_view label, std::string_view key) {
  auto found = shown.faults.find(key);
  if (found == shown.faults.end()) return;
  const auto& text = shown.texts[found->second];
  field.set(name, text);
  if (!shown.summary) shown.summary = &shown.form.add("AGAIN");
  auto& row = shown.summary->add("FAULTY");
  row.set("FAULTY_ID", id);
  row.set("FAULTY_LABEL", label);
  row.set("FAULTY_TEXT", text);
}

void tell_fault(Shown& shown, Values& field, Name name, const std::string& id,
                std::string_view label) {
  tell_fault(shown, field, name, id, label, id);
}

// Values to choose from. `chosen`: the one that was typed.
void add_options(Values& field, const Facet& facet, const std::vector<std::string>& values,
                 std::string_view chosen, const Texts& texts) {
  for (const auto& value : values) {
    auto& option = field.add("OPTION");
    option.set("VALUE", value);
    option.set("LABEL", value_label(texts, facet.name, facet.type, value));
    if (value == chosen) option.show("CHOSEN");
  }
}

// The tags that are offered, and a field for others.
void add_tags(Values& field, const Typed& typed, const std::string& name,
              const std::vector<std::string>& offered) {
  auto others = tags_of(typed, name);
  Values* tags = nullptr;
  for (const auto& each : offered) {
    if (!tags) tags = &field.add("TAGS");
    auto& tag = tags->add("TAG");
    tag.set("VALUE", each);
    if (std::erase(others, each) > 0) tag.show("CHOSEN");
  }
  if (!tags) field.show("NO_TAGS");
  std::string text;
  for (const auto& each : others) text.append(text.empty() ? "" : ", ").append(each);
  field.set("VALUE", text);
}

void fill_field(Shown& shown, const Facet& facet, const std::vector<std::string>& offered) {
  const auto& typed = shown.typed;
  const auto& texts = shown.texts;
  auto name = std::string(prefix) + facet.name;
  auto& field = shown.form.add("FIELD");
  auto label = facet_label(texts, facet.name);
  field.set("NAME", name);
  field.set("FIELD_LABEL", label);
  tell_fault(shown, field, "FAULT", "f-" + name, label, name);
  if (facet.type == FacetType::flag) {
    auto& flag = field.add("FLAG");
    if (text_of(typed, name) == "true") flag.show("CHOSEN");
  } else if (!facet.values.empty()) {
    add_options(field.add("CHOICE"), facet, facet.values, text_of(typed, name), texts);
  } else if (facet.type == FacetType::tags) {
    add_tags(field.add("LIST"), typed, name, offered);
  } else {
    auto& text = field.add("TEXT_FIELD");
    text.set("VALUE", text_of(typed, name));
    if (facet.type == FacetType::number) text.show("NUMBER");
    if (offered.empty()) return;
    auto& section = text.add("OFFERED");
    add_options(section, facet, offered, {}, texts);
    section.set("EXAMPLES", examples_of(facet, offered, texts));
  }
}

void fill_rating(Shown& shown) {
  constexpr std::string_view words[] = {"rating_one", "rating_two", "rating_three", "rating_four",
                                        "rating_five"};
  const auto& texts = shown.texts;
  for (std::uint64_t rating = 1; rating <= 5; ++rating) {
    auto& star = shown.form.add("STAR");
    star.set("RATING", rating);
    star.set("RATING_LABEL", texts.counted("stars", rating));
    star.set("RATING_WORD", texts[words[rating - 1]]);
    if (text_of(shown.typed, "rating") == std::to_string(rating)) star.show("CHOSEN");
  }
  tell_fault(shown, shown.form, "RATING_FAULT", "rating", texts["rating"]);
}

void fill_languages(Shown& shown) {
  const auto& texts = shown.texts;
  auto language = std::string(text_of(shown.typed, "language"));
  auto add = [&](const std::string& tag) {
    auto& option = shown.form.add("LANGUAGE");
    option.set("VALUE", tag);
    option.set("LABEL", tag == "und" ? texts["not_stated"] : texts.language(tag));
    if (tag == language) option.show("CHOSEN");
  };
  bool listed =
      std::find(std::begin(languages), std::end(languages), language) != std::end(languages);
  if (!listed && !language.empty()) add(language);
  for (auto each : languages) add(std::string(each));
  tell_fault(shown, shown.form, "LANGUAGE_FAULT", "language", texts["comment_language"]);
}

}  // namespace

std::vector<Facet> fields_of(const std::vector<std::string>& names,
                             const std::vector<FacetStatus>& facets) {
  std::vector<Facet> out;
  for (const auto& name : names) {
    auto found = std::find_if(facets.begin(), facets.end(),
                              [&](const auto& each) { return each.facet.name == name; });
    out.push_back(found == facets.end() ? Facet{name, FacetType::choice} : found->facet);
  }
  return out;
}

bool takes_offers(const Facet& field) {
  return field.type == FacetType::tags || (field.type == FacetType::choice && field.values.empty());
}

Offers offers_of(const std::vector<FacetCounts>& counts) {
  Offers out;
  for (const auto& each : counts) {
    bool tags = each.type == FacetType::tags;
    auto values = each.values;
    if (tags) std::erase_if(values, [](const auto& value) { return !is_typed_tag(value.first); });
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    values.resize(std::min<std::size_t>(values.size(), tags ? 8 : 20));
    for (auto& [value, comments] : values) out[each.facet].push_back(std::move(value));
  }
  return out;
}

Draft draft_of(const Typed& typed, const std::vector<Facet>& fields, std::string product,
               Faults& faults) {
  auto rating = parse_integer<std::int64_t>(text_of(typed, "rating")).value_or(0);
  Draft draft{.product = std::move(product),
              .rating = rating >= 1 && rating <= 5 ? static_cast<int>(rating) : 0,
              .author = with_lines(text_of(typed, "author"), " "),
              .title = with_lines(text_of(typed, "title"), " "),
              .text = with_lines(text_of(typed, "text"), "\n")};
  if (auto language = text_of(typed, "language"); !language.empty()) draft.language = language;
  for (const auto& field : fields) set_attribute(draft.attributes, typed, field, faults);
  return draft;
}

Typed typed_of(const Comment& comment, const std::vector<Facet>& fields) {
  Typed typed{{"rating", std::to_string(comment.rating)},
              {"title", comment.title},
              {"text", comment.text},
              {"author", comment.author},
              {"language", comment.language}};
  for (const auto& field : fields) {
    auto found = comment.attributes.find(field.name);
    if (found != comment.attributes.end()) add_typed(typed, field.name, found->second);
  }
  return typed;
}

Patch patch_of(Draft draft, const std::vector<Facet>& fields, bool named) {
  Patch patch{.language = std::move(draft.language), .rating = draft.rating};
  patch.title = std::move(draft.title);
  patch.text = std::move(draft.text);
  if (!named) patch.author = std::move(draft.author);
  for (const auto& field : fields) {
    auto found = draft.attributes.find(field.name);
    auto& value = patch.attributes[field.name];
    if (found != draft.attributes.end()) value = std::move(found->second);
  }
  return patch;
}

void add_faults(const Error& error, Faults& faults) {
  for (const auto& field : error.fields)
    faults.try_emplace(field.field, field.field == "rating" ? "fault_rating" : "fault_field");
}

std::string first_language(std::string_view accept_language) {
  auto known = preferred(accept_language, {std::begin(languages), std::end(languages) - 1});
  if (known.empty()) return "und";
  // preferred() keeps the order of its list; the client's first range comes first here.
  auto first = accept_language.substr(0, accept_language.find_first_of(",;"));
  auto own = preferred(first, known);
  return own.empty() ? known.front() : own.front();
}

void fill_fields(Values& form, const Typed& typed, const std::vector<Facet>& fields,
                 const Offers& offers, const Faults& faults, bool named, const Texts& texts) {
  Shown shown{form, typed, faults, texts};
  fill_rating(shown);
  form.set("TITLE", text_of(typed, "title"));
  tell_fault(shown, form, "TITLE_FAULT", "title", texts["title"]);
  form.set("TEXT", text_of(typed, "text"));
  tell_fault(shown, form, "TEXT_FAULT", "text", texts["your_comment"]);
  for (const auto& field : fields) {
    auto offered = offers.find(field.name);
    fill_field(shown, field, offered == offers.end() ? no_offers : offered->second);
  }
  fill_languages(shown);
  if (!named) {
    auto& author = form.add("AUTHOR_FIELD");
    author.set("AUTHOR", text_of(typed, "author"));
    tell_fault(shown, author, "AUTHOR_FAULT", "author", texts["your_name"]);
  }
  // A fault of what the form does not show is told without its field.
  bool told = shown.summary || faults.contains("");
  if (!faults.empty() && !told) form.add("AGAIN");
}

}  // namespace quire::http
