#include "dynamodb/credentials/provider.h"

#include "dynamodb/credentials/credentials.h"
#include "dynamodb/credentials/process.h"
#include "dynamodb/credentials/services.h"

namespace quire::dynamodb {
namespace {

constexpr std::chrono::seconds retry_delay{10};

}  // namespace

bool Provider::valid() const {
  return held_ && (held_->expires_ms == 0 || sources_.now_ms() < held_->expires_ms);
}

Awaitable<Result<Credentials>> Provider::get(std::string refused) {
  if (held_ && held_->access_key == refused)
    held_ = no_credentials("the table refused those that there were.");
  bool paused = renewed_.asking() || sources_.steady_now() < not_before_;
  if (valid() && (paused || !ageing(*held_, sources_.now_ms()))) co_return held_;
  if (!held_ && paused && !renewed_.asking()) co_return held_;
  std::function<Awaitable<Status>()> renews = [this] { return renew(); };
  (void)co_await renewed_.get(std::move(renews));
  co_return held_;
}

Awaitable<Status> Provider::renew() {
  auto found = co_await fetch();
  if (found || !valid()) held_ = std::move(found);
  if (!valid() || ageing(*held_, sources_.now_ms()))
    not_before_ = sources_.steady_now() + retry_delay;
  if (held_ && !valid()) held_ = no_credentials("those that there are have expired.");
  co_return Done{};
}

Awaitable<Result<Credentials>> Provider::fetch() {
  const auto& environment = sources_.environment;
  auto profile = read_profile({environment, sources_.read_file}, profile_);
  if (profile_.empty()) {
    auto keys = credentials_of(environment);
    if (keys) co_return *keys;
    auto identity = web_identity_of(environment);
    if (identity) {
      auto service = endpoint(Api::sts, region_, profile);
      co_return co_await assume_role(sources_, std::move(*identity), std::move(service));
    }
  }
  auto found = co_await of_profile(profile);
  if (found) co_return *found;
  if (!profile_.empty()) {
    co_return no_credentials(
        "the profile " + profile_ +
        " has neither keys, a web identity, single sign-on nor a credential_process.");
  }
  auto keys = co_await container_credentials(sources_);
  if (!keys) keys = co_await instance_credentials(sources_);
  if (keys) co_return *keys;
  co_return no_credentials(
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or a role.");
}

Awaitable<Found> Provider::of_profile(Profile profile) {
  auto keys = credentials_of(profile.keys);
  if (keys) co_return Result<Credentials>(*keys);
  auto identity = web_identity_of(profile.keys);
  if (identity) {
    auto service = endpoint(Api::sts, region_, profile);
    co_return co_await assume_role(sources_, std::move(*identity), std::move(service));
  }
  if (has_sign_on(profile)) {
    auto portal = endpoint(Api::sso, sign_on_region(profile), profile);
    co_return co_await sign_on(sources_, profile, std::move(portal));
  }
  auto command = value_in(profile.keys, "credential_process");
  if (!command.empty()) co_return co_await of_process(profile, command);
  if (!profile.keys.contains("role_arn")) co_return std::nullopt;
  co_return Result<Credentials>(
      no_credentials("the profile " + profile.name +
                     " assumes a role by another profile, which Quire does not. Name a "
                     "credential_process: aws configure export-credentials --profile " +
                     profile.name));
}

Awaitable<Result<Credentials>> Provider::of_process(Profile profile, std::string command) {
  auto refused = [&](const std::string& why) {
    return no_credentials("the credential_process of the profile " + profile.name +
                          " failed: " + why + ". Run it by hand.");
  };
  auto words = words_of(command);
  if (!words) co_return refused("a quote in it does not end");
  auto output = co_await sources_.run(std::move(*words));
  if (!output) co_return refused(output.error().message);
  auto found = credentials_of_process(*output);
  if (!found) co_return refused("it prints no credentials of version 1");
  if (found->expires_ms != 0 && found->expires_ms <= sources_.now_ms())
    co_return refused("the credentials that it prints have expired");
  co_return *found;
}

}  // namespace quire::dynamodb
