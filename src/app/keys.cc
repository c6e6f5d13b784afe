#include "app/keys.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "loop/loop.h"
#include "store/dynamodb/store.h"

namespace quire {
namespace {

constexpr std::size_t max_file_bytes = 1 << 20;

// A use, as messages and stores name it.
struct Names {
  std::string_view file, item, key;
};

Names names_of(KeyUse use) {
  if (use == KeyUse::cursors) return {"cursor-keys", "CURSOR-KEYS", "cursor key"};
  return {"customer-key", "CUSTOMER-KEY", "customer key"};
}

Error refused(KeyUse use, std::string message) {
  return {ErrorCode::unavailable, std::move(message), std::string(names_of(use).file)};
}

Error no_customer_key(const std::string& what) {
  return refused(KeyUse::customers,
                 what +
                     " with the key of customers. quire serve makes it where no customer has "
                     "written. Name the file that the server has: --customer-key FILE.");
}

std::optional<Seal::Key> parse_key(std::string_view line) {
  if (line.size() != 2 * Seal::key_size) return {};
  Seal::Key key;
  for (std::size_t i = 0; i < key.size(); ++i) {
    auto digits = line.substr(2 * i, 2);
    if (digits.find_first_not_of("0123456789abcdef") != digits.npos) return {};
    key[i] = static_cast<std::uint8_t>(std::stoi(std::string(digits), nullptr, 16));
  }
  return key;
}

Seal::Key new_key() {
  Seal::Key key;
  if (getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    throw std::runtime_error("the operating system gives no random bytes");
  }
  return key;
}

std::string line_of(const Seal::Key& key) {
  return hex(key) + '\n';
}

// Writes the key aside and links it to its name. So another process never sees half a key, and the
// file of a process that was faster stays.
Status make(KeyUse use, const std::string& file) {
  std::string line = line_of(new_key());
  auto aside = fmt::format("{}.{}", file, getpid());
  int out = open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool written = out >= 0 &&
                 write(out, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                 fsync(out) == 0;
  int why = errno;
  if (out >= 0) close(out);
  if (written && link(aside.c_str(), file.c_str()) != 0 && errno != EEXIST) {
    written = false;
    why = errno;
  }
  unlink(aside.c_str());
  auto folder = std::filesystem::absolute(file).parent_path();
  if (int failure = written ? sync_to_disk(folder) : 0) {
    written = false;
    why = failure;
  }
  if (written) return Done{};
  return refused(use, fmt::format("Cannot make the {} file {}: {}.", names_of(use).key, file,
                                  std::strerror(why)));
}

// `source`: where the keys come from, for messages.
Result<std::vector<Seal::Key>> parse_keys(KeyUse use, const std::string& text,
                                          const std::string& source) {
  auto noun = names_of(use).key;
  std::istringstream in(text);
  std::vector<Seal::Key> keys;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    auto key = parse_key(line);
    if (!key) {
      return refused(use, fmt::format("{} has a line that is no {}: 64 lower-case hex digits a "
                                      "line, as `openssl rand -hex 32` prints them.",
                                      source, noun));
    }
    if (*key == Seal::Key{}) {
      return refused(use, fmt::format("{} has a key of zeros alone, which anyone can guess. "
                                      "Replace it: openssl rand -hex 32.",
                                      source));
    }
    keys.push_back(*key);
  }
  if (keys.empty()) return refused(use, fmt::format("{} holds no {}.", source, noun));
  if (use == KeyUse::customers && keys.size() > 1)
    return refused(use, source + " holds several keys. Customers have one: leave the first.");
  return keys;
}

}  // namespace

std::string_view file_name(KeyUse use) {
  return names_of(use).file;
}

Result<std::vector<Seal::Key>> table_keys(KeyUse use, dynamodb::TableStore& store, Access access) {
  std::string item(names_of(use).item);
  bool make = use == KeyUse::cursors || access == Access::write;
  TRY(auto text, wait(store.keys(item, make ? line_of(new_key()) : "")));
  if (text.empty()) return no_customer_key("The table has no item " + item);
  return parse_keys(use, text, "The table's item " + item);
}

Result<std::vector<Seal::Key>> open_keys(KeyUse use, const std::string& file, Access access) {
  if (::access(file.c_str(), F_OK) != 0) {
    if (access == Access::read && use == KeyUse::customers)
      return no_customer_key("There is no file " + file);
    if (access == Access::read) return std::vector{new_key()};
    TRY_DONE(make(use, file));
  }
  auto what = fmt::format("the {} file", names_of(use).key);
  auto text = read_whole(what, file, max_file_bytes);
  if (!text) return refused(use, text.error().message);
  if (others_may_read(file))
    spdlog::warn("everyone on this machine may read {} {}: {}", what, file, commands_to_hide(file));
  return parse_keys(use, *text, file);
}

}  // namespace quire
