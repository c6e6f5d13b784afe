// The token file of a running server, which is read again when it changes.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "http/access/tokens.h"

namespace quire::http {

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

}  // namespace quire::http
