// quire lambda
#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <cstdlib>

#include "app/projection.h"
#include "cli/commands.h"
#include "lambda/runtime.h"
#include "loop/wait.h"

namespace quire::cli {
namespace {

// Until the service ends the process. An error: the service cannot be reached.
Awaitable<Status> answer_events(lambda::Runtime runtime, OpenProjection& open) {
  for (;;) {
    auto invocation = co_await runtime.next();
    if (!invocation) co_return invocation.error();
    auto answer = co_await open.answer_event(std::move(invocation->event), invocation->until);
    Status told = Done{};
    if (answer) {
      told = co_await runtime.respond(std::move(invocation->id), std::move(*answer));
    } else {
      spdlog::error("{}", answer.error().message);
      told = co_await runtime.fail(std::move(invocation->id), answer.error().message);
    }
    if (!told) spdlog::error("{}", told.error().message);
  }
}

int run_lambda(const Common& common) {
  const char* address = std::getenv("AWS_LAMBDA_RUNTIME_API");
  auto runtime = lambda::Runtime::at(address ? address : "");
  if (!runtime) return fail(runtime.error());
  auto open = OpenProjection::open_followed(common.store, common.pages);
  if (!open) return fail(open.error());
  auto ended = wait(answer_events(std::move(*runtime), **open));
  return fail(ended.error());
}

}  // namespace

Command add_lambda(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("lambda", "do the work of quire project as an AWS Lambda function");
  command->footer(
      "AWS Lambda starts it, from the package that tools/package-lambda makes:\n"
      "see docs/lambda.md.");
  return {command, [&common] { return run_lambda(common); }};
}

}  // namespace quire::cli
