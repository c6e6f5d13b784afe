// Who may write: the hashes of tokens, from a file with one a line.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire::http {

class Tokens {
 public:
  // Lines of 64 hex digits (the token's SHA-256); blank lines and those that begin with # are
  // passed over.
  static Result<Tokens> read(const std::string& file);
  // Appends the hash of a new random token to `file` (made if need be, readable by its owner
  // alone). The token is returned and kept nowhere.
  static Result<std::string> add(const std::string& file);

  // Only hashes are compared, so that the time it takes tells nothing about a token.
  bool accept(std::string_view token) const;
  bool empty() const { return hashes_.empty(); }

 private:
  std::set<std::string, std::less<>> hashes_;
};

}  // namespace quire::http
