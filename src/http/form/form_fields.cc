#include "http/form/form_fields.h"

#include <algorithm>

#include "base/text.h"
#include "http/accept.h"
#include "http/html/labels.h"

namespace quire::http {
namespace {

constexpr std::string_view prefix = "attributes.";

// The languages that the form offers, besides the writer's own.
constexpr std::string_view offered[] = {"en", "de",    "fr", "es", "it", "nl",
                                        "pl", "pt-BR", "ja", "ar", "und"};

bool has(const Typed& typed, std::string_view name, std::string_view value) {
  return std::any_of(typed.begin(), typed.end(),
                     [&](const auto& each) { return each.first == name && each.second == value; });
}

// The texts between commas, each once.
std::vector<std::string> tags_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto tag = take(text, ',');
    if (!tag.empty() && std::find(out.begin(), out.end(), tag) == out.end()) out.emplace_back(tag);
  }
  return out;
}

void set_attribute(Attributes& out, const Typed& typed, const Facet& field, Faults& faults) {
  auto name = std::string(prefix) + field.name;
  auto text = trimmed(text_of(typed, name));
  if (field.type == FacetType::tags) {
    auto tags = tags_of(text);
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

void add_options(Values& field, const Typed& typed, const std::string& name, const Facet& facet,
                 const Texts& texts) {
  for (const auto& value : facet.values) {
    auto& option = field.add("OPTION");
    option.set("VALUE", value);
    option.set("LABEL", value_label(texts, facet.name, facet.type, value));
    if (has(typed, name, value)) option.show("CHOSEN");
  }
}

void fill_field(Values& form, const Typed& typed, const Facet& facet, const Faults& faults,
                const Texts& texts) {
  auto name = std::string(prefix) + facet.name;
  auto& field = form.add("FIELD");
  field.set("NAME", name);
  field.set("FIELD_LABEL", facet_label(texts, facet.name));
  if (auto fault = faults.find(name); fault != faults.end())
    field.set("FAULT", texts[fault->second]);
  if (facet.type == FacetType::flag) {
    auto& flag = field.add("FLAG");
    if (has(typed, name, "true")) flag.show("CHOSEN");
  } else if (!facet.values.empty()) {
    add_options(field.add("CHOICE"), typed, name, facet, texts);
  } else {
    auto& text = field.add("TEXT_FIELD");
    text.set("VALUE", text_of(typed, name));
    if (facet.type == FacetType::number) text.show("NUMBER");
    if (facet.type == FacetType::tags) text.show("LIST");
  }
}

}  // namespace

std::string_view text_of(const Typed& typed, std::string_view name) {
  for (const auto& [key, value] : typed)
    if (key == name) return value;
  return {};
}

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

Draft draft_of(const Typed& typed, const std::vector<Facet>& fields, std::string product,
               Faults& faults) {
  auto rating = parse_integer<std::int64_t>(text_of(typed, "rating")).value_or(0);
  Draft draft{.product = std::move(product),
              .rating = rating >= 1 && rating <= 5 ? static_cast<int>(rating) : 0,
              .author = std::string(trimmed(text_of(typed, "author"))),
              .title = std::string(trimmed(text_of(typed, "title"))),
              .text = std::string(trimmed(text_of(typed, "text")))};
  if (auto language = text_of(typed, "language"); !language.empty()) draft.language = language;
  for (const auto& field : fields) set_attribute(draft.attributes, typed, field, faults);
  return draft;
}

void add_faults(const Error& error, Faults& faults) {
  for (const auto& field : error.fields)
    faults.try_emplace(field.field, field.field == "rating" ? "fault_rating" : "fault_field");
}

std::string first_language(std::string_view accept_language) {
  auto known = preferred(accept_language, {std::begin(offered), std::end(offered) - 1});
  if (known.empty()) return "und";
  // preferred() keeps the order of its list; the client's first range comes first here.
  auto first = accept_language.substr(0, accept_language.find_first_of(",;"));
  auto own = preferred(first, known);
  return own.empty() ? known.front() : own.front();
}

void fill_fields(Values& form, const Typed& typed, const std::vector<Facet>& fields,
                 const Faults& faults, bool named, const Texts& texts) {
  auto fault = [&](std::string_view name, Name shown) {
    if (auto found = faults.find(name); found != faults.end())
      form.set(shown, texts[found->second]);
  };
  for (int rating = 1; rating <= 5; ++rating) {
    auto& star = form.add("STAR");
    star.set("RATING", rating);
    star.set("RATING_LABEL", texts.counted("stars", static_cast<std::uint64_t>(rating)));
    if (text_of(typed, "rating") == std::to_string(rating)) star.show("CHOSEN");
  }
  fault("rating", "RATING_FAULT");
  form.set("TITLE", text_of(typed, "title"));
  fault("title", "TITLE_FAULT");
  form.set("TEXT", text_of(typed, "text"));
  fault("text", "TEXT_FAULT");
  if (!named) {
    auto& author = form.add("AUTHOR_FIELD");
    author.set("AUTHOR", text_of(typed, "author"));
    if (auto found = faults.find("author"); found != faults.end())
      author.set("AUTHOR_FAULT", texts[found->second]);
  }
  auto language = std::string(text_of(typed, "language"));
  bool listed = false;
  for (auto each : offered) listed |= each == language;
  auto add = [&](const std::string& tag) {
    auto& option = form.add("LANGUAGE");
    option.set("VALUE", tag);
    option.set("LABEL", tag == "und" ? texts["not_stated"] : texts.language(tag));
    if (tag == language) option.show("CHOSEN");
  };
  if (!listed && !language.empty()) add(language);
  for (auto each : offered) add(std::string(each));
  fault("language", "LANGUAGE_FAULT");
  for (const auto& field : fields) fill_field(form, typed, field, faults, texts);
}

}  // namespace quire::http
