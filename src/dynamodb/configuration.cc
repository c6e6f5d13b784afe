#include "dynamodb/configuration.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/files.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t max_file_bytes = 1 << 20;
constexpr std::string_view blank = " \t\r\n";

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// A file that is missing is usual.
std::optional<std::string> read_file(const std::string& path) {
  auto text = read_whole("the file", path, max_file_bytes);
  if (text) return std::move(*text);
  if (::access(path.c_str(), F_OK) == 0)
    spdlog::warn("{} It counts as missing.", text.error().message);
  return {};
}

std::string_view trimmed(std::string_view text) {
  auto from = text.find_first_not_of(blank);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(blank) - from + 1);
}

// "name" of "[name]" and of "[profile name]".
std::string_view heading_of(std::string_view line) {
  auto name = trimmed(line.substr(1, line.find(']') - 1));
  constexpr std::string_view word = "profile ";
  return name.starts_with(word) ? trimmed(name.substr(word.size())) : name;
}

bool has_keys(const Section& section) {
  return !value_in(section, "aws_access_key_id").empty() &&
         !value_in(section, "aws_secret_access_key").empty();
}

}  // namespace

Configuration system_configuration() {
  return {environment_variable, read_file};
}

Section section_of(std::string_view text, std::string_view heading) {
  Section found;
  bool ours = false;
  std::string block;  // the key whose value is on indented lines
  while (!text.empty()) {
    auto whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    auto line = trimmed(whole);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') {
      ours = heading_of(line) == heading;
      block.clear();
      continue;
    }
    auto equals = line.find('=');
    if (!ours || equals == line.npos) continue;
    std::string key(trimmed(line.substr(0, equals)));
    std::string value(trimmed(line.substr(equals + 1)));
    bool indented = blank.find(whole[0]) != blank.npos;
    if (!indented) block = value.empty() ? key : "";
    if (indented && !block.empty()) key.insert(0, block + ".");
    found[key] = value;
  }
  return found;
}

Profile read_profile(const Configuration& configuration, const std::string& named) {
  const auto& environment = configuration.environment;
  auto text_of = [&](const char* variable, const char* usual) {
    std::string path = environment(variable);
    if (path.empty()) path = environment("HOME") + usual;
    return configuration.read_file(path).value_or("");
  };
  std::string name = named.empty() ? environment("AWS_PROFILE") : named;
  if (name.empty()) name = "default";
  auto config = text_of("AWS_CONFIG_FILE", "/.aws/config");
  Profile out{
      name, section_of(text_of("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials"), name), {}, {}};
  auto others = section_of(config, name);
  bool other_keys = !has_keys(out.keys) && has_keys(others);
  for (auto key : {"aws_access_key_id", "aws_secret_access_key", "aws_session_token"}) {
    if (other_keys)
      out.keys.erase(key);
    else
      others.erase(key);
  }
  out.keys.merge(others);
  auto session = value_in(out.keys, "sso_session");
  auto services = value_in(out.keys, "services");
  if (!session.empty()) out.session = section_of(config, "sso-session " + session);
  if (!services.empty()) out.services = section_of(config, "services " + services);
  return out;
}

std::string value_in(const Section& section, std::string_view key) {
  auto at = section.find(key);
  return at == section.end() ? std::string() : at->second;
}

}  // namespace quire::dynamodb
