// Tokens: their hashes, scopes, ends and product prefixes. A file lists the hashes of tokens, and
// what each token may do. Format: docs/formats/tokens.md
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "quire/result.h"

namespace quire::desk {

// What a token may do. post: add comments. edit: change and remove them. import: add comments, also
// with created_at. moderate: decide which comments are published. invite: make invitations.
// products: tell facts of products. atom: read the feed of all products. feed: read comments of any
// status as they change. admin: all of these.
enum class Scope { post, edit, import, admin, moderate, invite, reply, products, atom, feed };
std::string_view scope_name(Scope scope);
// Parses "post,edit". Nothing if a name is no scope, or the text is empty.
std::optional<std::vector<Scope>> parse_scopes(std::string_view text);
// 1 to 64 letters, digits, dots, dashes and underscores: safe as a field of a log.
bool is_token_name(std::string_view name);

struct Token {
  std::string hash;           // SHA-256, 64 hex digits
  std::string name;           // for logs; may be empty
  std::vector<Scope> scopes;  // at least one
  std::string until = {};     // a date, or an RFC 3339 time; empty: without end
  std::string product = {};   // the prefix of the products it may write to

  bool may(Scope scope) const;
  bool ended(std::uint64_t now_ms) const;
  // The name; if it is empty, the first digits of the hash.
  std::string_view label() const;
  // The token's line in the file, without the line feed.
  std::string line() const;
};

// The last millisecond of `until`; for a date, the end of that day in UTC. Nothing if the text is
// neither a date nor a time.
std::optional<std::uint64_t> end_of(std::string_view until);

// Immutable, so thread-safe.
class Tokens {
 public:
  struct Parsed;

  // Leaves out lines that are no tokens, and reports them.
  static Parsed parse(const std::string& text);
  // The tokens in the text of `file`. unavailable: it has a line that is no token.
  static Result<Tokens> checked(const std::string& text, const std::string& file);
  // unavailable: the file cannot be read, or has a line that is no token.
  static Result<Tokens> read(const std::string& file);
  // Makes a random token, and appends its line to `file`; `token` has its properties, without the
  // hash. A new file is readable by its owner alone. The token is only returned, and stored
  // nowhere. unavailable: the file cannot be written, or already has a token of this name.
  static Result<std::string> add(const std::string& file, Token token);

  // Null if the token is unknown. Compares hashes, each of them completely, so that the time taken
  // tells nothing about a token.
  const Token* find(std::string_view token) const;
  // The same by the token's hash.
  const Token* with_hash(std::string_view hash) const;
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

// A changed text counts once two looks in a row have found it, because a file may be read while it
// is being written. Lines that are no tokens are logged and left out. While the file cannot be
// read, the tokens stay as they were, and an error is logged.
class TokenFile {
 public:
  static constexpr std::chrono::milliseconds look_every{200};

  // unavailable: the file cannot be read, everyone may write it, or it has a line that is no token.
  static Result<std::unique_ptr<TokenFile>> open(const std::string& file);

  // Starts a thread that looks at the file until this is destroyed. A change counts within half a
  // second.
  void watch();
  // Looks at the file now. Must not be called after watch().
  void look();

  // The present tokens. Thread-safe.
  std::shared_ptr<const Tokens> tokens() const;

 private:
  TokenFile(std::string file, std::string text);

  void adopt(std::string text);

  const std::string file_;
  std::string text_;     // of which the present tokens are made
  std::string seen_;     // by the last look
  std::string trouble_;  // why the last look could not read the file
  mutable std::mutex mutex_;
  std::shared_ptr<const Tokens> tokens_;  // guarded by mutex_
  std::jthread thread_;                   // declared last, so that it stops first
};

}  // namespace quire::desk
