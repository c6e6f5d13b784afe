#include "desk/demo_moderator.h"

#include <utility>

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/try.h"

namespace quire::desk {
namespace {

std::string random_text() {
  auto random = system_entropy(), more = system_entropy();
  return base64url_encode(random) + base64url_encode(more);
}

}  // namespace

Result<std::unique_ptr<DemoModerator>> DemoModerator::make() {
  Token token{
      .hash = sha256_hex(random_text()), .name = "demo", .scopes = {Scope::moderate, Scope::reply}};
  TRY(auto tokens, Tokens::checked(token.line() + "\n", "the demo"));
  return std::unique_ptr<DemoModerator>(
      new DemoModerator(random_text(), token.hash, std::move(tokens)));
}

DemoModerator::DemoModerator(std::string secret, std::string hash, Tokens tokens)
    : secret_(std::move(secret)),
      hash_(std::move(hash)),
      tokens_(std::make_shared<const Tokens>(std::move(tokens))) {}

std::string DemoModerator::secret() const {
  std::lock_guard lock(mutex_);
  return secret_;
}

std::optional<Writer> DemoModerator::spend(std::string_view secret) {
  std::lock_guard lock(mutex_);
  if (secret_.empty() || !same_bytes(secret, secret_)) return {};
  secret_.clear();
  return Writer::of_holder(tokens_, *tokens_->with_hash(hash_));
}

}  // namespace quire::desk
