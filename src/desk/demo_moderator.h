// The moderator of a demo, who has no token that anybody knows: whoever shows the secret that the
// start of the server printed is the moderator, once.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "desk/tokens.h"
#include "desk/writer.h"
#include "quire/result.h"

namespace quire::desk {

// Thread-safe.
class DemoModerator {
 public:
  // unavailable: the system gives no random bytes.
  static Result<std::unique_ptr<DemoModerator>> make();

  // Empty once it is spent.
  std::string secret() const;
  // The writer with the secret, which is spent then. Absent: it is another secret, or spent.
  std::optional<Writer> spend(std::string_view secret);
  // The one token, by which sessions know the moderator.
  std::shared_ptr<const Tokens> tokens() const { return tokens_; }

 private:
  DemoModerator(std::string secret, std::string hash, Tokens tokens);

  mutable std::mutex mutex_;
  std::string secret_;  // guarded by mutex_
  const std::string hash_;
  const std::shared_ptr<const Tokens> tokens_;
};

}  // namespace quire::desk
