// The token file of a running server, which is read again when it changes.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "http/access/tokens.h"

namespace quire::http {

// A change counts once two looks have found the same text, so that a file that is just being
// written does not. Lines that are no tokens are logged and left out. While the file cannot be
// read, the tokens stay as they were, and this is logged.
class TokenFile {
 public:
  static constexpr std::chrono::milliseconds look_every{200};

  // unavailable: the file cannot be read, others may write it, or it has a line that is no token.
  static Result<std::unique_ptr<TokenFile>> open(const std::string& file);

  // From now on a thread looks at the file, until this is destroyed: a change counts within half a
  // second.
  void watch();
  // Looks at the file now. Not to be called while it is watched.
  void look();

  // The tokens of now. Thread-safe.
  std::shared_ptr<const Tokens> tokens() const;

 private:
  TokenFile(std::string file, std::string text);

  void adopt(std::string text);

  const std::string file_;
  std::string text_;     // the tokens are made of this
  std::string seen_;     // by the last look
  std::string trouble_;  // why it could not be read, when it was last tried
  mutable std::mutex mutex_;
  std::shared_ptr<const Tokens> tokens_;  // guarded by mutex_
  std::jthread thread_;                   // stops before what it uses goes
};

}  // namespace quire::http
