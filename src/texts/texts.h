// The texts of pages in one language, and how it writes numbers, days, languages and countries.
//
// A text has places for values: "Page {NUMBER} of {COUNT}". A text that depends on a number has
// plural forms, of which the language's rules choose: { one = "{COUNT} review", other = "…" },
// besides `none` for 0.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "quire/result.h"
#include "texts/forms.h"

namespace quire::texts {

// Immutable but for names that are kept, so thread-safe.
class Texts {
 public:
  using Values = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Reads the file of a language: `file` for messages, `tag` of BCP 47, `toml` its bytes. What it
  // lacks, and its names for what it has, come from `base`; null: it is complete by itself.
  // invalid_parameter: the faults of the file, a line each.
  static Result<std::shared_ptr<const Texts>> read(const std::string& file, const std::string& tag,
                                                   std::string_view toml, const Texts* base);

  const std::string& tag() const { return tag_; }
  bool right_to_left() const { return right_to_left_; }
  const Forms& forms() const { return forms_; }

  // A text as it is, with the places for its values. Throws std::logic_error where it has no text
  // of this name, or one with plural forms.
  const std::string& operator[](std::string_view name) const;
  // The same with its values: `{NAME}` of each is its text.
  std::string with(std::string_view name, Values values) const;
  // The form for this number, which is {COUNT} in it.
  std::string counted(std::string_view name, std::uint64_t number, Values values = {}) const;
  // Absent: there is no text of this name.
  const std::string* find(std::string_view name) const;

  std::string number(std::uint64_t value) const { return forms_.number(value); }
  std::string day(std::int64_t local_ms) const { return forms_.day(local_ms); }
  // "Portuguese (Brazil)" for "pt-BR"; the tag itself where no name is known.
  std::string language(const std::string& tag) const;
  // "Germany" for "DE"; else as it is.
  std::string country(const std::string& code) const;

  // The names of texts. Those with plural forms are "comments.one", "comments.other".
  std::set<std::string> names() const;

 private:
  Texts(std::string tag, Forms forms);

  std::string tag_;
  bool right_to_left_ = false;
  Forms forms_;
  std::map<std::string, std::string, std::less<>> texts_;
  // The same by name: pages look up many. A text with plural forms has these by theirs.
  std::unordered_map<std::string_view, const std::string*> by_name_;
  std::unordered_map<std::string_view, std::map<std::string_view, const std::string*>> counted_;
  std::unique_ptr<KeptNames> kept_;
};

// The text with its values.
std::string with_values(std::string_view text, Texts::Values values);

}  // namespace quire::texts
