// The languages in which pages can speak: those that are built in, and those of a shop.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "quire/result.h"
#include "texts/texts.h"

namespace quire::texts {

// The language that has what another lacks, and that pages speak where nothing else is said.
inline constexpr std::string_view first_language = "en";

// A file of texts, by its path; its name without ".toml" is the language's tag.
using Files = std::map<std::string, std::string>;

// Immutable, so thread-safe.
class Languages {
 public:
  // English, German, French, Spanish, Italian, Dutch, Polish, Brazilian Portuguese, Japanese and
  // Arabic. Read once.
  static const Languages& built_in();
  // Those, with the files of a shop: they override single texts, or add languages, which are
  // English where they lack a text. invalid_parameter: the faults, a line each.
  static Result<Languages> with(const Files& files);

  // The texts of this language. Null: there are none. They live as long as one of these has them.
  std::shared_ptr<const Texts> find(std::string_view tag) const;
  // The tag of the best language of an Accept-Language header; else `otherwise`, which there is.
  std::string_view choose(std::string_view accept_language, std::string_view otherwise) const;
  // The tag among these that means the same language: "pt-BR" for "pt" and "pt_pt". Empty: none.
  std::string_view close_to(std::string_view range) const;

  const std::map<std::string, std::shared_ptr<const Texts>, std::less<>>& all() const {
    return all_;
  }

 private:
  std::map<std::string, std::shared_ptr<const Texts>, std::less<>> all_;
};

// Throws std::out_of_range for an unknown name.
std::string_view built_in_file(std::string_view name);

}  // namespace quire::texts
