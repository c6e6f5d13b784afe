// What the places of credentials are asked with. Tests bring their own.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dynamodb/configuration.h"
#include "dynamodb/connections.h"
#include "quire/result.h"

namespace quire::dynamodb {

// For an answer of a service in the network.
inline constexpr std::chrono::seconds service_patience{5};

struct CredentialSources {
  Environment environment;
  ReadFile read_file;
  std::function<Awaitable<Exchanged>(Origin, Message, Deadline)> exchange;
  std::function<std::uint64_t()> now_ms;  // of the wall clock, by which credentials expire
  // Runs a program with its arguments, and gives what it prints; see process.h.
  std::function<Awaitable<Result<std::string>>(std::vector<std::string>)> run = {};
  std::function<Deadline()> steady_now = std::chrono::steady_clock::now;  // for pauses
};

// Credentials, or why they cannot be had from a place that is configured; nothing: the place is not
// configured.
using Found = std::optional<Result<Credentials>>;

// That credentials cannot be had now, and what to do.
inline Error no_credentials(std::string why) {
  return {ErrorCode::unavailable, "There are no credentials for the table: " + std::move(why)};
}

}  // namespace quire::dynamodb
