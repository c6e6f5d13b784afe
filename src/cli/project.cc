// quire project
#include <fmt/core.h>
#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <memory>

#include "base/clock.h"
#include "cli/commands.h"
#include "loop/loop.h"
#include "wiring/build.h"

namespace quire::cli {
namespace {

namespace asio = boost::asio;
using projection::Worker;

struct Options {
  unsigned poll = 250;
};

// Unlike any other worker's, also after a restart.
std::string owner() {
  return Ulid::make(system_ms(), system_entropy()).text();
}

class Workers {
 public:
  Workers(OpenProjection& open, const Options& options) {
    projection::Pace pace;
    pace.poll = Milliseconds(options.poll);
    for (const auto& each : open.followed()) {
      workers_.push_back(std::make_unique<Worker>(open.source(), *each.target,
                                                  Worker::Options{each.projection, owner(), pace}));
    }
  }

  // Until the process is told to stop.
  void run() {
    asio::io_context context(1);
    asio::signal_set signals(context, SIGTERM, SIGINT);
    signals.async_wait([&](boost::system::error_code cancelled, int) {
      for (auto& worker : workers_) {
        if (!cancelled) worker->stop();
      }
    });
    std::size_t running = workers_.size();
    for (auto& worker : workers_) {
      asio::co_spawn(context, worker->run(), [&](std::exception_ptr failure) {
        if (--running == 0) signals.cancel();
        if (failure) std::rethrow_exception(failure);
      });
    }
    context.run();
  }

 private:
  std::vector<std::unique_ptr<Worker>> workers_;
};

int project(const Common& common, const Options& options) {
  auto open = OpenProjection::open(common.store, common.pages);
  if (!open) return fail(open.error());
  if ((*open)->followed().empty()) return fail(nothing_follows());
  Workers workers(**open, options);
  for (const auto& each : (*open)->followed()) fmt::print("following: {}\n", each.what);
  std::fflush(stdout);
  workers.run();
  return done;
}

}  // namespace

Command add_project(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand(
      "project", "keep page index and statistics in step with a table, by its stream");
  auto options = std::make_shared<Options>();
  command->add_option("--poll", options->poll, "milliseconds between looks at a quiet shard")
      ->envname("QUIRE_POLL")
      ->capture_default_str()
      ->check(CLI::Range(10, 60'000));
  command->footer(
      "Example: quire project --store dynamodb:comments?region=eu-west-1 --pages "
      "redis://localhost");
  return {command, [&common, options] { return project(common, *options); }};
}

}  // namespace quire::cli
