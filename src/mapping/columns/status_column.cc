#include "mapping/columns/status_column.h"

#include <array>
#include <cctype>
#include <set>

#include "mapping/columns/personal.h"

namespace quire {
namespace {

constexpr std::size_t most_values = 12;  // different ones; a column with more is no status

using Words = std::vector<std::string_view>;

// Of programs for shops, blogs and forums; the first words are nothing but a status.
const Words published = {"approved", "published", "publish", "visible", "accepted"};
const Words rejected = {"rejected", "spam",    "trash",       "declined", "denied",
                        "removed",  "deleted", "disapproved", "blocked"};
const Words pending = {"pending",    "hold",  "held",     "onhold",   "unapproved", "unpublished",
                       "moderation", "draft", "inreview", "awaiting", "hidden"};
const Words also_published = {"live",    "public", "active", "shown", "accept", "approve", "online",
                              "enabled", "ok",     "true",   "yes",   "y",      "1"};
const Words also_rejected = {"refused", "banned", "reject", "delete"};
const Words also_pending = {"waiting",  "queued", "review",    "private",   "inactive",
                            "disabled", "new",    "submitted", "invisible", "false",
                            "no",       "n",      "0"};

const Words status_names = {"status",     "state",     "approved", "approval",   "visible",
                            "visibility", "published", "shown",    "moderation", "active",
                            "curated",    "validate",  "validated"};
// A flag of these says that the comment is not shown.
const Words hiding_names = {"hidden", "private", "draft", "archived", "unlisted"};
const Words rejecting_names = {"deleted", "removed", "spam", "blocked", "rejected", "trashed"};

bool is_among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_named(const Column& column, const Words& names) {
  auto words = words_of(column.name);
  return std::any_of(words.begin(), words.end(),
                     [&](const auto& word) { return is_among(names, word); });
}

// Letters and digits alone, in small letters: "On hold" is "onhold".
std::string bare(std::string_view value) {
  std::string out;
  for (char c : value)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view meaning(std::string_view word, bool any_word) {
  const std::tuple<std::string_view, const Words&, const Words&> groups[] = {
      {"published", published, also_published},
      {"rejected", rejected, also_rejected},
      {"pending", pending, also_pending}};
  for (const auto& [status, plain, also] : groups)
    if (is_among(plain, word) || (any_word && is_among(also, word))) return status;
  return {};
}

// By a flag that is named after the opposite.
std::optional<StatusValues> hiding_values(const Column& column,
                                          const std::set<std::string>& values) {
  bool rejects = is_named(column, rejecting_names);
  if (!rejects && !is_named(column, hiding_names)) return {};
  StatusValues out{{{"*", "pending"}}, {}, "published"};
  for (const auto& value : values) {
    auto said = meaning(bare(value), true);
    bool flag = is_among(also_published, bare(value)) || is_among(also_pending, bare(value));
    if (!flag) return {};
    out.known[value] = said == "pending" ? "published" : rejects ? "rejected" : "pending";
  }
  return out;
}

}  // namespace

std::optional<StatusValues> status_values(const Column& column) {
  std::set<std::string> values;
  for (const auto& value : column.values) {
    values.insert(value);
    if (values.size() > most_values) return {};
  }
  if (values.empty() || (column.others > 0 && !column.flag())) return {};
  if (auto hiding = hiding_values(column, values)) return hiding;
  bool named = is_named(column, status_names);
  StatusValues out{{{"*", "pending"}}, {}, "pending"};
  for (const auto& value : values) {
    auto status = meaning(bare(value), named);
    if (status.empty())
      out.unknown.push_back(value);
    else
      out.known[value] = status;
  }
  // A state may also be one of a country: without a word of a status it is an attribute.
  bool certain = named && (out.known.size() > 1 || words_of(column.name).back() != "state");
  bool told =
      out.unknown.empty() && std::any_of(out.known.begin(), out.known.end(),
                                         [](auto& each) { return each.second != "pending"; });
  if (!certain && !told) return {};
  return out;
}

}  // namespace quire
