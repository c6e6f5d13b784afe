// Who may write: tokens by their hashes, as a file lists them, and what each may do.
// Format: docs/formats/tokens.md
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

namespace quire::http {

// post: add comments. edit: change and remove them. import: add comments, and date them. admin: all
// of this.
enum class Scope { post, edit, import, admin };
std::string_view scope_name(Scope scope);
// "post,edit"; nothing if it names another scope, or none.
std::optional<std::vector<Scope>> parse_scopes(std::string_view text);
// 1 to 64 letters, digits, dots, dashes and underscores: one field of a log.
bool is_token_name(std::string_view name);

struct Token {
  std::string hash;           // SHA-256, 64 hex digits
  std::string name;           // for logs; may be empty
  std::vector<Scope> scopes;  // at least one
  std::string until = {};     // a date, or an RFC 3339 time; empty: for ever
  std::string product = {};   // the products it may write to begin with this

  bool may(Scope scope) const;
  bool ended(std::uint64_t now_ms) const;
  // Its name; without one the beginning of its hash.
  std::string_view label() const;
  // Its line in the file, without the line's end.
  std::string line() const;
};

// The last millisecond of `until`: of a date the end of that day, in UTC. Nothing if it is neither
// a date nor a time.
std::optional<std::uint64_t> end_of(std::string_view until);

// Thread-safe: does not change.
class Tokens {
 public:
  struct Parsed;

  // Lines that are no tokens are left out, and reported.
  static Parsed parse(const std::string& text);
  // Refuses a file that cannot be read, or has a line that is no token.
  static Result<Tokens> read(const std::string& file);
  // Makes a random token, and appends its line to `file` (made if need be, readable by its owner
  // alone); of `token` the hash does not count. The token is returned and kept nowhere. Refuses a
  // name that the file has already.
  static Result<std::string> add(const std::string& file, Token token);

  // Nothing if it is not known. Only hashes are compared, each whole and each with all, so that the
  // time it takes tells nothing about a token.
  const Token* find(std::string_view token) const;
  bool empty() const { return tokens_.empty(); }
  std::size_t size() const { return tokens_.size(); }

 private:
  std::vector<Token> tokens_;
};

struct Tokens::Parsed {
  Tokens tokens;
  std::vector<std::string> faults;  // a sentence for each line that is no token
};

// The text of a token file; at most 16 MiB.
Result<std::string> read_token_file(const std::string& file);

}  // namespace quire::http
