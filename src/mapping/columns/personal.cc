#include "mapping/columns/personal.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <cctype>

#include "base/text.h"

namespace quire {
namespace {

using Words = std::vector<std::string_view>;

// Of whatever a shop writes beside a comment, these lead to a person.
const Words contacts = {"mail",     "email",    "phone",   "tel",       "telephone", "mobile",
                        "fax",      "ip",       "ipv4",    "ipv6",      "addr",      "address",
                        "street",   "postcode", "zipcode", "postal",    "order",     "session",
                        "token",    "cookie",   "uid",     "passwd",    "password",  "secret",
                        "birthday", "dob",      "iban",    "birthdate", "msisdn"};
const Words people = {"user", "customer"};
// Their names are no secret, their numbers are.
const Words named_people = {"author", "reviewer", "buyer",   "purchaser", "member", "account",
                            "client", "guest",    "shopper", "visitor",   "person", "profile"};
const Words numbers = {"id",     "ids", "uuid", "guid", "no",  "nr",  "num",
                       "number", "key", "hash", "ref",  "sub", "code"};
// What small letters alone may put before or behind: userid, clientip, useragent.
const Words before = {"e", "client", "remote", "user", "customer", "home", "cell", "work"};
const Words behind = {"id", "ids", "no", "nr", "number", "addr", "address", "agent", "hash", "key"};

bool is_one_of(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "orders" is "order".
std::string_view singular(std::string_view word) {
  return word.ends_with("ss") || !word.ends_with('s') ? word : word.substr(0, word.size() - 1);
}

bool is_contact_word(std::string_view word) {
  return is_one_of(contacts, word) || is_one_of(contacts, singular(word));
}

bool is_person_word(std::string_view word) {
  return is_one_of(people, word) || is_one_of(people, singular(word));
}

// A word that is two in small letters, of which one leads to a person.
bool is_compound(std::string_view word) {
  for (auto end : behind)
    if (word.size() > end.size() && word.ends_with(end)) {
      auto rest = word.substr(0, word.size() - end.size());
      if (is_contact_word(rest) || is_person_word(rest) || is_one_of(named_people, rest))
        return true;
    }
  return std::any_of(before.begin(), before.end(), [&](auto begin) {
    return word.starts_with(begin) && is_contact_word(word.substr(begin.size()));
  });
}

bool is_mail(std::string_view token) {
  auto at = token.find('@');
  if (at == token.npos || at == 0) return false;
  auto domain = token.substr(at + 1);
  auto dot = domain.rfind('.');
  return dot != domain.npos && dot > 0 && domain.size() > dot + 2 &&
         std::isalpha(static_cast<unsigned char>(domain[dot + 1]));
}

bool is_address(std::string_view token) {
  if (token.starts_with('[')) token.remove_prefix(1);
  token = token.substr(0, token.find(']'));
  if (std::count(token.begin(), token.end(), ':') == 1) token = token.substr(0, token.find(':'));
  std::array<unsigned char, 16> bytes;
  std::string text(token);
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
         (text.find(':') != text.npos && text.size() > 2 &&
          inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1);
}

// Three groups of digits with one sign between, of which the first or the last may be a year.
bool is_day(std::string_view text) {
  auto sign = text.find_first_not_of("0123456789");
  if (sign == text.npos) return false;
  auto end = text.find(text[sign], sign + 1);
  if (end == text.npos) return false;
  auto first = sign, middle = end - sign - 1, last = text.size() - end - 1;
  return middle >= 1 && middle <= 2 && first >= 1 && last >= 1 &&
         ((first == 4 && last <= 2) || (first <= 2 && (last == 4 || last == 2)));
}

// Digits in groups, with a sign in front or two signs between. A date is none, nor is an ISBN.
bool is_phone(std::string_view text) {
  if (text.find_first_not_of("0123456789 +-()./") != text.npos) return false;
  std::string digits;
  for (char c : text)
    if (c >= '0' && c <= '9') digits += c;
  if (digits.size() < 7 || digits.size() > 15 || is_address(text)) return false;
  if (text.starts_with('+') || text.starts_with("00") || text.starts_with('(')) return true;
  auto signs = text.size() - digits.size();
  bool book = digits.size() == 13 && (digits.starts_with("978") || digits.starts_with("979"));
  return signs >= 2 && !book && !is_day(text);
}

enum class Contact { none, mail, address, phone };
constexpr std::string_view contact_names[] = {"", "a mail address", "an IP address",
                                              "a telephone number"};

Contact contact_in(std::string_view value) {
  constexpr std::string_view between = " \t\n\r,;\"'<>(){}";
  for (std::size_t at = 0; at < value.size();) {
    auto end = std::min(value.find_first_of(between, at), value.size());
    auto token = value.substr(at, end - at);
    while (token.ends_with('.')) token.remove_suffix(1);
    if (is_mail(token)) return Contact::mail;
    if (is_address(token)) return Contact::address;
    at = end + 1;
  }
  return is_phone(value) ? Contact::phone : Contact::none;
}

std::array<std::size_t, 4> contacts_in(const Column& column) {
  std::array<std::size_t, 4> found{};
  for (const auto& value : column.values) ++found[static_cast<std::size_t>(contact_in(value))];
  return found;
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    auto c = static_cast<unsigned char>(name[i]);
    auto small = [&](std::size_t at) {
      return at < name.size() && std::islower(static_cast<unsigned char>(name[at]));
    };
    bool letter = std::isalnum(c) != 0;
    // userID and IPAddress: a capital begins a word after a small letter, or before one.
    bool begins = std::isupper(c) && i > 0 && (small(i - 1) || small(i + 1));
    if ((begins || !letter) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += static_cast<char>(std::tolower(c));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string personal_word(std::string_view name, bool of_author) {
  auto words = words_of(name);
  auto any = [&](const Words& some) {
    return std::any_of(words.begin(), words.end(),
                       [&](const auto& word) { return is_one_of(some, word); });
  };
  bool number = any(numbers);
  for (const auto& word : words) {
    bool person = is_person_word(word) && (!of_author || number);
    bool numbered = is_one_of(named_people, word) && number;
    if (is_contact_word(word) || is_compound(word) || person || numbered) return word;
  }
  return {};
}

bool is_contact(const Column& column) {
  auto nothing_else = [](const std::string& value) {
    auto contact = contact_in(value);
    bool alone = contact == Contact::phone || value.find(' ') == value.npos;
    return contact != Contact::none && alone;
  };
  auto some = std::count_if(column.values.begin(), column.values.end(), nothing_else);
  return some > 0 && 2 * static_cast<std::size_t>(some) >= column.values.size();
}

std::string personal_reason(const Column& column) {
  if (column.flag()) return {};
  if (auto word = personal_word(column.name); !word.empty())
    return fmt::format("personal: its name has \"{}\"", word);
  auto found = contacts_in(column);
  // Digits in groups may be anything: they are telephone numbers where most values are.
  constexpr auto phone = static_cast<std::size_t>(Contact::phone);
  bool signed_one = std::any_of(column.values.begin(), column.values.end(), [](const auto& value) {
    return value.starts_with('+') && contact_in(value) == Contact::phone;
  });
  if (2 * found[phone] < column.values.size() && !signed_one) found[phone] = 0;
  for (std::size_t kind = 1; kind < found.size(); ++kind)
    if (found[kind] > 0)
      return fmt::format("personal: {} of {} {} {}", found[kind],
                         counted(column.values.size(), "value"), found[kind] == 1 ? "has" : "have",
                         contact_names[kind]);
  return {};
}

}  // namespace quire
