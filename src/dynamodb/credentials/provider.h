// Finds credentials in the places where AWS's SDKs look, and replaces them before they expire.
// Used on one loop; not thread-safe.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/address.h"
#include "dynamodb/credentials/credentials.h"
#include "loop/awaitable.h"
#include "loop/one_answer.h"
#include "quire/result.h"

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
  Awaitable<FoundCredentials> of_profile(Profile profile);
  Awaitable<Result<Credentials>> of_process(Profile profile, std::string command);
  Result<HttpOrigin> endpoint(Api api, const std::string& region, const Profile& profile) const {
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

// The program that a profile names as its `credential_process`.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html

inline constexpr std::chrono::seconds process_patience{10};
inline constexpr std::size_t max_process_output = 64 << 10;

// The words of a command: separated by blanks, except between quotes and behind a backslash.
// Nothing else has a meaning, since no shell reads the command: neither $ nor ~ nor |. Absent: a
// quote does not end, or there is no word.
std::optional<std::vector<std::string>> words_of(std::string_view command);

// What the program prints on standard output. The program is looked up in PATH; its standard error
// is this process's, its input is empty, and it inherits no other file. When `process_timeout` is
// over, or it has printed more than 64 KiB, the program and its children are killed. unavailable:
// it cannot be run, was killed, or ended with a status other than 0.
Awaitable<Result<std::string>> run_within(std::vector<std::string> words,
                                          std::chrono::milliseconds process_timeout);
inline Awaitable<Result<std::string>> run_process(std::vector<std::string> words) {
  return run_within(std::move(words), process_patience);
}

}  // namespace quire::dynamodb
