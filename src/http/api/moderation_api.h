// The JSON interface of moderators: the queue, decisions, and reports from anyone.
#pragma once

#include <string>
#include <vector>

#include "desk/desk.h"
#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

// What became of a decision on the comment with this id, as JSON. `path`: of the public URL.
std::string decided_json(std::string_view id, const Result<Edited>& edited, std::string_view path);

// Handlers of routes. Thread-safe.
class ModerationApi {
 public:
  // `desk` must outlive this.
  explicit ModerationApi(desk::Desk& desk) : desk_(desk) {}

  Awaitable<Response> queue(const Request& request);
  Awaitable<Response> decide(const Request& request);
  Awaitable<Response> undo(const Request& request);
  Awaitable<Response> report(const Request& request);

 private:
  desk::Desk& desk_;
};

}  // namespace quire::http
