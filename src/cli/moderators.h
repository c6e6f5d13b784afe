// Asks the interface of moderators: that of a server, or in this process over a store.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/backend.h"
#include "cli/commands.h"
#include "quire/result.h"

namespace quire::cli {

// Where the comments are that a moderator decides on.
struct Moderated {
  std::string server;      // a URL; empty: the store is opened
  std::string token_file;  // has the token that the server takes
  std::string audit_log;   // of decisions on the store; empty: they are not recorded
};

class Moderators {
 public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  // `access`: to the store.
  static Result<std::unique_ptr<Moderators>> open(const Common& common, const Moderated& moderated,
                                                  Access access);
  virtual ~Moderators() = default;

  // The answer to GET /v1/moderation/comments. An error: that of the interface.
  virtual Result<std::string> queue(Parameters parameters) = 0;
  // The answer to POST /v1/moderation/decisions with this body.
  virtual Result<std::string> decide(std::string body) = 0;
};

}  // namespace quire::cli
