#include "architecture/includes.h"

#include <map>

namespace quire {
namespace {

using Names = std::vector<std::string_view>;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool begins_with_any(std::string_view name, const Names& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](auto beginning) { return name.starts_with(beginning); });
}

// What the folders that compute, and do nothing else, may take from outside; and which folders they
// may know.
struct Pure {
  Names parts;
  Names outside;
};
const std::map<std::string_view, Pure> pure = {
    {"model", {{"include", "base", "words", "model"}, {"boost/json", "xxhash.h"}}},
    {"plan", {{"include", "base", "model", "plan"}, {"fmt/"}}},
    {"merge", {{"include", "base", "model", "merge"}, {}}},
    {"cursor", {{"include", "base", "model", "cursor"}, {"openssl/"}}},
    {"identity",
     {{"include", "base", "model", "cursor", "identity"}, {"openssl/", "boost/json", "fmt/"}}},
    {"words", {{"include", "base", "words"}, {"unicode/", "libstemmer.h", "fmt/"}}},
};

// Standard headers through which the world gets in: files, time, chance, threads.
const Names impure_standard = {
    "chrono",  "ctime",      "random", "fstream",    "iostream",           "istream",
    "ostream", "filesystem", "cstdio", "thread",     "condition_variable", "future",
    "atomic",  "csignal",    "locale", "stop_token", "shared_mutex",       "semaphore",
    "barrier", "latch"};

// The interfaces whose implementations are folders below them.
const Names interfaces = {"store", "page_index", "listing"};

// Which folders a folder, and those below it, may never know.
struct Arrow {
  std::string_view from;
  Names to;
};
const std::vector<Arrow> never = {
    {"loop",
     {"change", "lmdb", "dynamodb", "store", "page_index", "projection", "listing", "service",
      "http", "app", "cli"}},
    {"change", {"store", "page_index", "projection", "listing", "service", "http", "app", "cli"}},
    {"word_index",
     {"store", "page_index", "projection", "listing", "service", "http", "app", "cli"}},
    {"lmdb", {"store", "page_index", "projection", "listing", "service", "http", "app", "cli"}},
    {"dynamodb", {"store", "page_index", "projection", "listing", "service", "http", "app", "cli"}},
    {"page_index", {"store", "projection", "listing", "service", "http", "app", "cli"}},
    {"store", {"listing", "service", "desk", "http", "app", "cli"}},
    {"projection",
     {"plan", "merge", "cursor", "store", "listing", "service", "http", "app", "cli"}},
    {"listing", {"cursor", "projection", "service", "http", "app", "cli"}},
    {"service",
     {"plan", "merge", "page_index", "change", "projection", "desk", "http", "app", "cli"}},
    {"desk",
     {"plan", "merge", "page_index", "listing", "change", "projection", "http", "app", "cli"}},
    {"shop", {"store", "page_index", "projection", "listing", "service", "http", "app", "cli"}},
    {"http", {"plan", "merge", "store", "page_index", "listing", "app", "cli"}},
    {"app", {"http", "cli"}},
};

std::string_view head_of(std::string_view part) {
  return part.substr(0, part.find('/'));
}

// "store/dynamodb" of "store/dynamodb/stream"; empty: the folder implements no interface.
std::string_view implementation_of(std::string_view part) {
  if (part.find('/') == part.npos || !contains(interfaces, head_of(part))) return {};
  return part.substr(0, part.find('/', part.find('/') + 1));
}

bool standard(std::string_view name) {
  return name.find('/') == name.npos && !name.ends_with(".h") && !name.ends_with(".hpp");
}

std::string check_pure(const Pure& rules, std::string_view to, const Include& include) {
  if (include.quoted) {
    if (!contains(rules.parts, to)) return "a pure folder knows only base, model and itself";
    if (include.name == "base/clock.h") return "a pure folder has no clock and no chance";
  } else if (standard(include.name)) {
    if (contains(impure_standard, include.name)) return "a pure folder meets the world";
  } else if (!begins_with_any(include.name, rules.outside)) {
    return "a pure folder takes nothing else from outside";
  }
  return {};
}

std::string check_base(const Include& include) {
  if (include.quoted) {
    bool allowed = part_of(include.name) == "base" || include.name == "quire/result.h" ||
                   include.name == "quire/ulid.h";
    return allowed ? "" : "base knows nothing of the project but results and ids";
  }
  // The operating system's headers have no folder, or sys/ or arpa/.
  bool system = standard(include.name) || include.name.find('/') == std::string::npos ||
                begins_with_any(include.name, {"sys/", "arpa/", "openssl/", "fmt/", "unicode/"});
  bool library = contains({"lmdb.h", "zlib.h", "sqlite3.h"}, include.name);
  return system && !library
             ? ""
             : "base takes only the system, OpenSSL, xxHash, fmt and ICU from outside";
}

std::string check_arrows(std::string_view from, std::string_view to) {
  auto implementation = implementation_of(to);
  if (!implementation.empty() && implementation != implementation_of(from) && from != "app") {
    return implementation_of(from).empty() ? "only app knows the implementations of an interface"
                                           : "an implementation never knows another";
  }
  if (head_of(from) == head_of(to)) return {};
  for (const auto& arrow : never) {
    if (head_of(from) == arrow.from && contains(arrow.to, head_of(to))) {
      return std::string(arrow.from) + " never knows " + std::string(to);
    }
  }
  return {};
}

}  // namespace

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> found;
  for (const auto& line : file.lines) {
    auto at = line.find_first_not_of(" \t");
    if (at == line.npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == line.npos || line.compare(at, 7, "include") != 0) continue;
    auto begin = line.find_first_of("<\"", at);
    auto end = begin == line.npos ? begin : line.find_first_of(">\"", begin + 1);
    if (end == line.npos) continue;
    found.push_back({line.substr(begin + 1, end - begin - 1), line[begin] == '"'});
  }
  return found;
}

std::string part_of(std::string_view path) {
  if (path.starts_with("include/") || path.starts_with("quire/")) return "include";
  if (path.starts_with("src/")) path.remove_prefix(4);
  auto folder = path.substr(0, path.find('/'));
  if (folder.size() == path.size()) return "";  // a file beside the folders
  return std::string(path.substr(0, path.rfind('/')));
}

std::string forbidden(std::string_view path, const Include& include) {
  auto from = part_of(path);
  auto to = include.quoted ? part_of(include.name) : std::string();
  if (auto rules = pure.find(from); rules != pure.end())
    return check_pure(rules->second, to, include);
  if (from == "base") return check_base(include);
  if (from == "include") {
    bool own = !include.quoted || to == "include";
    return own && (include.quoted || standard(include.name)) ? "" : "the public face stands alone";
  }
  return include.quoted ? check_arrows(from, to) : "";
}

}  // namespace quire
