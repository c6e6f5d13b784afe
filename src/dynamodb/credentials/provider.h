// Finds credentials in the places where AWS's SDKs look, and replaces them before they expire.
// Used on one loop; not thread-safe.
#pragma once

#include <string>

#include "dynamodb/address.h"
#include "dynamodb/credentials/credentials.h"
#include "loop/one_answer.h"

namespace quire::dynamodb {

class Provider {
 public:
  using Sources = CredentialSources;

  // `profile`: only this profile of the shared files is used. Empty: the environment's keys, its
  // web identity, the profile of AWS_PROFILE, the container's endpoint and the instance metadata
  // service are asked, in this order. The first place that is configured decides, even if it fails.
  // `region`: of the security token service.
  Provider(Sources sources, std::string profile, std::string region = "us-east-1")
      : sources_(std::move(sources)), profile_(std::move(profile)), region_(std::move(region)) {}

  // unavailable: there are no credentials; the message says what to do. `refused`: the access key
  // that the table refused, whose credentials are not given again; empty: none. While one caller
  // fetches new credentials, others get the present ones as long as they are valid, or wait.
  Awaitable<Result<Credentials>> get(std::string refused = {});

 private:
  // Sets `held_`.
  Awaitable<Status> renew();
  Awaitable<Result<Credentials>> fetch();
  Awaitable<Found> of_profile(Profile profile);
  Awaitable<Result<Credentials>> of_process(Profile profile, std::string command);
  Result<Origin> endpoint(Api api, const std::string& region, const Profile& profile) const {
    return service_endpoint(api, region, sources_.environment, profile);
  }
  bool valid() const;

  Sources sources_;
  std::string profile_, region_;
  Result<Credentials> held_ = no_credentials("");  // or why there are none
  OneAnswer<Status> renewed_;
  // No source is asked again before then: the last time there was nothing, or nothing fresh.
  Deadline not_before_{};
};

}  // namespace quire::dynamodb
