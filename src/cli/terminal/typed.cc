#include "cli/terminal/typed.h"

#include <algorithm>

namespace quire::cli {
namespace {

constexpr std::string_view plain_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";

std::string quoted(const std::string& argument) {
  bool plain = argument.find_first_not_of(plain_characters) == argument.npos;
  if (plain && !argument.empty()) return argument;
  std::string out = "'";
  for (char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string quoted(const std::vector<std::string>& arguments) {
  std::string out;
  for (const auto& each : arguments) out += (out.empty() ? "" : " ") + quoted(each);
  return out;
}

std::vector<std::string> with_options(const std::vector<std::string>& arguments,
                                      const std::vector<std::string_view>& dropped,
                                      const std::vector<std::string>& added) {
  auto is_dropped = [&](std::string_view name) {
    return std::find(dropped.begin(), dropped.end(), name) != dropped.end();
  };
  std::vector<std::string> out;
  auto end = std::find(arguments.begin(), arguments.end(), "--");  // behind it are no options
  for (auto each = arguments.begin(); each != end; ++each) {
    std::string_view text = *each;
    if (is_dropped(text)) {
      if (each + 1 != end) ++each;
    } else if (!is_dropped(text.substr(0, text.find('=')))) {
      out.push_back(*each);
    }
  }
  out.insert(out.end(), added.begin(), added.end());
  out.insert(out.end(), end, arguments.end());
  return out;
}

}  // namespace quire::cli
