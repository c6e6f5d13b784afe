#include "texts/texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/locid.h>

#include <algorithm>
#include <stdexcept>

#include "toml/toml_reader.h"

namespace quire::texts {
namespace {

constexpr std::string_view none = "none";  // the form of 0, which no language's rules have

Error refused(const std::vector<std::string>& faults) {
  return {ErrorCode::invalid_parameter, fmt::format("{}", fmt::join(faults, "\n")), "texts"};
}

// The names of places: "{COUNT}" has COUNT.
std::set<std::string> places_of(std::string_view text) {
  std::set<std::string> out;
  for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
    out.emplace(text.substr(at, text.find('}', at) - at));
  return out;
}

using Named = std::map<std::string, std::string, std::less<>>;

// Adds the text, or its plural forms.
void take(TomlReader& toml, const std::string& name, const toml::node& node,
          const std::string& plurals, Named& out) {
  if (auto text = node.value_exact<std::string>()) {
    out[name] = std::move(*text);
    return;
  }
  const auto* table = node.as_table();
  if (!table) return toml.refuse(node, name + " is a text, or a table of plural forms.");
  for (const auto& [form, text] : *table) {
    auto value = text.value_exact<std::string>();
    bool known =
        form.str() == none ||
        (" " + plurals + " ").find(" " + std::string(form.str()) + " ") != std::string::npos;
    if (!known || !value)
      toml.refuse(text, fmt::format("{} takes texts for: {}, and {} for 0.", name, plurals, none));
    else
      out[name + "." + std::string(form.str())] = std::move(*value);
  }
}

// Those of the base whose names the other has not. Plural forms go together: one language's form
// for 0 is none of another's.
Named missing(const Named& base, const Named& other) {
  Named out;
  for (const auto& [name, text] : base) {
    auto dot = name.find('.');
    if (dot == name.npos ? !other.contains(name) : !other.contains(name.substr(0, dot) + ".other"))
      out.emplace(name, text);
  }
  return out;
}

using Value = std::pair<std::string_view, std::string_view>;

// The text with its values, and with one more.
std::string filled(std::string_view text, Texts::Values values, Value more) {
  std::string out;
  out.reserve(text.size() + 32);
  while (!text.empty()) {
    auto open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    auto close = text.find('}');
    if (close == text.npos) break;
    auto place = text.substr(1, close - 1);
    auto value = std::find_if(values.begin(), values.end(),
                              [&](const Value& each) { return each.first == place; });
    if (value != values.end())
      out += value->second;
    else
      out += place == more.first ? more.second : text.substr(0, close + 1);
    text.remove_prefix(close + 1);
  }
  return out += text;
}

// Whether the text stands in the place of one of the base: same name, no other places for values.
bool fits(TomlReader& toml, const std::string& name, const toml::node& node, const Named& made,
          const Texts& base) {
  for (const auto& [each, text] : made) {
    bool plural = each.size() > name.size();
    if (name.starts_with("facet_") && !plural) continue;  // the name of an attribute of the shop
    const auto* model = base.find(plural ? name + ".other" : name);
    if (!model) {
      toml.refuse(node, fmt::format("No page has a text \"{}\"{}.", name,
                                    plural ? " with plural forms" : ""));
      return false;
    }
    auto known = places_of(*model);
    for (const auto& place : places_of(text)) {
      if (known.contains(place)) continue;
      toml.refuse(node, fmt::format("{} has no place {}}} for a value.", name, place));
      return false;
    }
  }
  return true;
}

}  // namespace

Texts::Texts(std::string tag, Forms forms) : tag_(std::move(tag)), forms_(std::move(forms)) {}

Result<std::shared_ptr<const Texts>> Texts::read(const std::string& file, const std::string& tag,
                                                 std::string_view bytes, const Texts* base) {
  TomlReader toml(file);
  UErrorCode code = U_ZERO_ERROR;
  auto locale = icu::Locale::forLanguageTag(tag, code);
  if (U_FAILURE(code) || locale.isBogus() || !*locale.getISO3Language()) {
    toml.refuse("The file's name is no language. Name it as in de.toml or pt-BR.toml.");
    return refused(toml.faults());
  }
  std::shared_ptr<Texts> out;
  try {
    out.reset(new Texts(tag, Forms(locale)));
  } catch (const std::invalid_argument& error) {
    toml.refuse(fmt::format("Numbers or days of {} cannot be written: {}.", tag, error.what()));
    return refused(toml.faults());
  }
  out->right_to_left_ = locale.isRightToLeft();
  out->kept_ = std::make_unique<KeptNames>(locale);
  if (auto table = toml.parse(bytes)) {
    for (const auto& [key, node] : *table) {
      std::string name(key.str());
      Named made;
      take(toml, name, node, out->forms_.plurals(), made);
      if (!base || fits(toml, name, node, made, *base)) out->texts_.merge(std::move(made));
    }
  }
  if (auto faults = toml.faults(); !faults.empty()) return refused(faults);
  if (base) out->texts_.merge(missing(base->texts_, out->texts_));
  for (const auto& [name, text] : out->texts_) {
    std::string_view whole(name);
    auto dot = std::min(whole.find('.'), whole.size());
    out->by_name_.emplace(whole, &text);
    if (dot < whole.size())
      out->counted_[whole.substr(0, dot)].emplace(whole.substr(dot + 1), &text);
  }
  return std::shared_ptr<const Texts>(std::move(out));
}

const std::string* Texts::find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const std::string& Texts::operator[](std::string_view name) const {
  const auto* text = find(name);
  if (!text) throw std::logic_error(fmt::format("pages have no text {}", name));
  return *text;
}

std::string Texts::with(std::string_view name, Values values) const {
  return with_values((*this)[name], values);
}

std::string Texts::counted(std::string_view name, std::uint64_t number, Values values) const {
  auto forms = counted_.find(name);
  if (forms == counted_.end())
    throw std::logic_error(fmt::format("pages have no text {} with plural forms", name));
  auto form = number == 0 ? forms->second.find(none) : forms->second.end();
  if (form == forms->second.end()) form = forms->second.find(forms_.plural(number));
  if (form == forms->second.end()) form = forms->second.find("other");
  auto count = forms_.number(number);
  return filled(*form->second, values, {"COUNT", count});
}

std::string Texts::language(const std::string& tag) const {
  return tag == "und" ? (*this)["not_stated"] : kept_->language(tag);
}

std::string Texts::country(const std::string& code) const {
  return kept_->country(code);
}

std::set<std::string> Texts::names() const {
  std::set<std::string> out;
  for (const auto& [name, text] : texts_) out.insert(name);
  return out;
}

std::string with_values(std::string_view text, Texts::Values values) {
  return filled(text, values, {});
}

}  // namespace quire::texts
