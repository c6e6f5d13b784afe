#include "desk/tokens.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/clock.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/try.h"
#include "quire/ulid.h"

namespace quire::desk {

Result<std::unique_ptr<TokenFile>> TokenFile::open(const std::string& file) {
  TRY(auto text, read_token_file(file));
  auto tokens = Tokens::checked(text, file);
  if (!tokens) return tokens.error();
  if (others_may_write(file)) {
    return Error{ErrorCode::unavailable,
                 "Everyone on this machine may write the token file " + file +
                     ", and so make tokens. Forbid it: chmod o-w " + file + ".",
                 "tokens"};
  }
  return std::unique_ptr<TokenFile>(new TokenFile(file, std::move(text)));
}

TokenFile::TokenFile(std::string file, std::string text)
    : file_(std::move(file)),
      text_(std::move(text)),
      seen_(text_),
      tokens_(std::make_shared<const Tokens>(Tokens::parse(text_).tokens)) {}

std::shared_ptr<const Tokens> TokenFile::tokens() const {
  std::lock_guard lock(mutex_);
  return tokens_;
}

void TokenFile::watch() {
  thread_ = repeated(look_every, [this] { look(); });
}

void TokenFile::look() {
  auto text = read_token_file(file_);
  std::string trouble = text ? "" : text.error().message;
  if (trouble != trouble_ && !trouble.empty())
    spdlog::error("{} The tokens stay as they were.", trouble);
  if (trouble != trouble_ && trouble.empty()) spdlog::info("{} can be read again", file_);
  trouble_ = std::move(trouble);
  if (!text) return;
  bool settled = *text == seen_;
  seen_ = std::move(*text);
  if (settled && seen_ != text_) adopt(seen_);
}

void TokenFile::adopt(std::string text) {
  auto parsed = Tokens::parse(text);
  for (const auto& fault : parsed.faults) spdlog::error("{}: {}, and is left out", file_, fault);
  spdlog::info("{} was read again: tokens: {}", file_, parsed.tokens.size());
  text_ = std::move(text);
  auto tokens = std::make_shared<const Tokens>(std::move(parsed.tokens));
  std::lock_guard lock(mutex_);
  tokens_ = std::move(tokens);
}

namespace {

constexpr std::size_t max_file_bytes = 16 << 20;
constexpr std::size_t hash_digits = 64;
constexpr std::size_t label_digits = 8;
constexpr std::size_t max_name = 64;

constexpr std::array<std::string_view, 10> scope_names = {
    "post", "edit", "import", "admin", "moderate", "invite", "reply", "products", "atom", "feed"};

Error refused(std::string message) {
  return {ErrorCode::unavailable, std::move(message), "tokens"};
}

// The parts of `text` between `separator`s.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    auto end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_hash(std::string_view text) {
  return text.size() == hash_digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// Sets the member that "name=value" stands for; false if it is no field of a token.
bool set_field(Token& token, std::string_view field) {
  auto equals = field.find('=');
  if (equals == field.npos) return false;
  auto name = field.substr(0, equals), value = field.substr(equals + 1);
  if (name == "name" && is_token_name(value)) {
    token.name = value;
  } else if (name == "scopes" && parse_scopes(value)) {
    token.scopes = *parse_scopes(value);
  } else if (name == "until" && end_of(value)) {
    token.until = value;
  } else if (name == "product" && percent_decode(value)) {
    token.product = *percent_decode(value);
  } else {
    return false;
  }
  return true;
}

std::optional<Token> parse_line(std::string_view line) {
  auto fields = split(line, ' ');
  if (!is_hash(fields.front())) return {};
  // A line without scopes was written before there were scopes. It keeps the rights of that time.
  Token token{.hash = std::string(fields.front()),
              .name = {},
              .scopes = {Scope::post, Scope::edit, Scope::import}};
  std::vector<std::string_view> names;
  for (auto field : std::vector(fields.begin() + 1, fields.end())) {
    if (field.empty()) continue;
    auto name = field.substr(0, field.find('='));
    bool twice = std::find(names.begin(), names.end(), name) != names.end();
    if (twice || !set_field(token, field)) return {};
    names.push_back(name);
  }
  return token;
}

// Whether the line could be written to the end of the file, and is on disk. A new file is for its
// owner alone. Another stays readable by its group, which may be the server's, but by nobody else.
bool append(const std::string& file, std::string line) {
  int out = open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (out < 0) return false;
  // An editor may have left the last line without a line feed.
  char last = '\n';
  auto size = lseek(out, 0, SEEK_END);
  if (size > 0 && pread(out, &last, 1, size - 1) == 1 && last != '\n') line.insert(0, "\n");
  struct stat status {};
  bool ready = fstat(out, &status) == 0 && fchmod(out, status.st_mode & 0770) == 0;
  auto count = ready ? write(out, line.data(), line.size()) : 0;
  bool whole = count == static_cast<ssize_t>(line.size());
  bool written = whole && fsync(out) == 0;
  int why = count > 0 && !whole ? ENOSPC : errno;
  // A half line would keep a server from its start.
  if (count > 0 && !written && size >= 0 && ftruncate(out, size) != 0) why = errno;
  close(out);
  errno = why;
  return written;
}

std::string why_not_written(const std::string& file, int reason) {
  auto folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (reason == ENOENT && !folder.empty() && !std::filesystem::exists(folder, ignored)) {
    return fmt::format(
        "Cannot make the token file {}: its folder {} does not exist. Make it first: mkdir -p {}.",
        file, folder.string(), folder.string());
  }
  return fmt::format("Cannot write to {}: {}.", file, std::strerror(reason));
}

}  // namespace

std::string_view scope_name(Scope scope) {
  return scope_names[static_cast<std::size_t>(scope)];
}

std::optional<std::vector<Scope>> parse_scopes(std::string_view text) {
  std::vector<Scope> scopes;
  for (auto name : split(text, ',')) {
    auto known = std::find(scope_names.begin(), scope_names.end(), name);
    if (known == scope_names.end()) return {};
    scopes.push_back(static_cast<Scope>(known - scope_names.begin()));
  }
  return scopes;
}

bool is_token_name(std::string_view name) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
  return !name.empty() && name.size() <= max_name && name.find_first_not_of(letters) == name.npos;
}

std::optional<std::uint64_t> end_of(std::string_view until) {
  constexpr std::size_t date_size = 10;  // "2027-01-31"
  // A space ends a field of the token file.
  if (until.find(' ') != until.npos) return {};
  if (until.size() == date_size) return parse_time(std::string(until) + "T23:59:59.999Z");
  return parse_time(until);
}

bool Token::may(Scope scope) const {
  return std::any_of(scopes.begin(), scopes.end(), [&](Scope own) {
    return own == scope || own == Scope::admin || (own == Scope::import && scope == Scope::post);
  });
}

bool Token::ended(std::uint64_t now_ms) const {
  return !until.empty() && now_ms > end_of(until).value_or(0);
}

std::string_view Token::label() const {
  return name.empty() ? std::string_view(hash).substr(0, label_digits) : name;
}

std::string Token::line() const {
  std::string line = hash;
  if (!name.empty()) line += " name=" + name;
  line += " scopes=";
  for (auto scope : scopes) {
    if (line.back() != '=') line += ',';
    line += scope_name(scope);
  }
  if (!until.empty()) line += " until=" + until;
  if (!product.empty()) line += " product=" + percent_encode(product);
  return line;
}

Tokens::Parsed Tokens::parse(const std::string& text) {
  Parsed parsed;
  std::size_t number = 0;
  for (auto line : split(text, '\n')) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (auto token = parse_line(line)) {
      parsed.tokens.tokens_.push_back(std::move(*token));
    } else {
      parsed.faults.push_back(fmt::format("line {} is no token", number));
    }
  }
  return parsed;
}

Result<std::string> read_token_file(const std::string& file) {
  auto text = read_whole("the token file", file, max_file_bytes);
  if (!text) return refused(text.error().message);
  return text;
}

Result<Tokens> Tokens::checked(const std::string& text, const std::string& file) {
  auto parsed = parse(text);
  if (parsed.faults.empty()) return std::move(parsed.tokens);
  return refused(fmt::format(
      "{}: {}. Make tokens with quire token new --tokens {}, or put a # before the line.", file,
      parsed.faults.front(), file));
}

Result<Tokens> Tokens::read(const std::string& file) {
  TRY(auto text, read_token_file(file));
  return checked(text, file);
}

Result<std::string> Tokens::add(const std::string& file, Token token) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    TRY(auto text, read_token_file(file));
    for (const auto& known : parse(text).tokens.tokens_) {
      if (!token.name.empty() && known.name == token.name)
        return refused(file + " has a token named " + token.name + ". Take another name.");
    }
  }
  std::array<std::uint8_t, 32> random;
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return refused("The operating system gives no random bytes.");
  }
  std::string secret = "quire_" + base64url_encode(random);
  token.hash = sha256_hex(secret);
  if (!append(file, token.line() + "\n")) return refused(why_not_written(file, errno));
  return secret;
}

const Token* Tokens::find(std::string_view token) const {
  return with_hash(sha256_hex(token));
}

const Token* Tokens::with_hash(std::string_view hash) const {
  const Token* found = nullptr;
  for (const auto& each : tokens_) {
    if (same_bytes(each.hash, hash) && !found) found = &each;
  }
  return found;
}

}  // namespace quire::desk
