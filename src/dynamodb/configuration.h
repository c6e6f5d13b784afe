// The configuration of AWS's tools, by environment variables and by the shared files,
// ~/.aws/credentials and ~/.aws/config.
// https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace quire::dynamodb {

// The value of an environment variable; empty: it is not set.
using Environment = std::function<std::string(const char*)>;
// The text of a file; absent: it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

struct Configuration {
  Environment environment;
  ReadFile read_file;
};

// This process's variables, and files of this machine up to 1 MiB. Thread-safe while no thread
// changes the environment.
Configuration system_configuration();

// The keys of a section. A key of a nested block has the block's name before it:
// "dynamodb.endpoint_url".
using Section = std::map<std::string, std::string, std::less<>>;

// The section `[heading]` of a shared file's text. `[profile NAME]` has the heading "NAME", too.
Section section_of(std::string_view text, std::string_view heading);

// What one profile says.
struct Profile {
  std::string name;
  Section keys;     // access keys come from one file alone; others rather from the credentials file
  Section session;  // `[sso-session …]` that the profile names
  Section services;  // `[services …]` that the profile names
};

// `name`: empty for AWS_PROFILE, or else "default". A profile that is nowhere has no keys.
Profile read_profile(const Configuration& configuration, const std::string& name);

// The value of a key; empty: it is absent.
std::string value_in(const Section& section, std::string_view key);

}  // namespace quire::dynamodb
