// quire project
#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>

#include "app/projection.h"
#include "app/table_events.h"
#include "base/clock.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/serving/supervisor.h"
#include "cli/telling.h"
#include "http/operations/operations.h"
#include "http/site.h"
#include "lambda/runtime.h"
#include "loop/bell.h"
#include "loop/loop.h"
#include "shop/shop_file.h"

namespace quire::cli {

namespace {

// Until the service ends the process. An error: the service cannot be reached.
Awaitable<Status> answer_events(lambda::Runtime& runtime, OpenProjection& open) {
  for (;;) {
    CO_TRY(auto invocation, co_await runtime.next());
    auto answer = co_await open.answer_event(std::move(invocation.event), invocation.until);
    Status told = Done{};
    if (answer) {
      told = co_await runtime.respond(std::move(invocation.id), std::move(*answer));
    } else {
      spdlog::error("{}", answer.error().message);
      told = co_await runtime.fail(std::move(invocation.id), answer.error().message);
    }
    if (!told) spdlog::error("{}", told.error().message);
  }
}

int run_lambda(const Common& common) {
  const char* address = std::getenv("AWS_LAMBDA_RUNTIME_API");
  auto origin = lambda::runtime_origin(address ? address : "");
  if (!origin) return fail(origin.error());
  auto open = OpenProjection::open_followed(common.store, common.pages);
  if (!open) return fail(open.error());
  LoopThread loop;
  lambda::Runtime runtime(loop.context(), std::move(*origin));
  auto ended = wait(loop.run(answer_events(runtime, **open)));
  return fail(ended.error());
}

namespace asio = boost::asio;
using projection::Worker;

// A worker that is further behind its table is not ready: pages have no numbers then, by default.
constexpr unsigned max_lag_seconds = 60;

struct ProjectOptions {
  std::string listen;
  std::optional<unsigned> poll;
  std::string events;  // the directory of the log of events; empty: none is kept
  std::string shop, public_url;
};

Worker::Options options_of(OpenProjection& open, const projection::Followed& followed,
                           const projection::Pace& pace) {
  Worker::Options options{followed.projection, projection::new_name(), pace};
  options.begin = [&open, &followed] { return open.begin_if_empty(followed); };
  return options;
}

Worker::Options options_of(TableEvents& events, const projection::Pace& pace) {
  Worker::Options options{"events", projection::new_name(), pace};
  options.begin = [&events] { return events.begin(); };
  options.begins_again = true;
  options.remedy = "The log of events begins as soon as the stream can be read.";
  return options;
}

// The log of events, and what tells webhooks of it.
struct OpenEvents {
  std::unique_ptr<TableEvents> events;
  std::shared_ptr<Bell> shop_changed = std::make_shared<Bell>();
  std::unique_ptr<shop::ShopFile> shop = {};
  std::unique_ptr<Telling> telling = {};
};

// Null: none is asked for.
Result<std::unique_ptr<OpenEvents>> open_events(const Common& common,
                                                const ProjectOptions& options) {
  if (options.events.empty()) return std::unique_ptr<OpenEvents>();
  if (options.shop.empty())
    return Error{ErrorCode::invalid_parameter,
                 "--events needs the shop file, which has the webhooks: --shop shop.toml", "shop"};
  constexpr std::string_view scheme = "lmdb:";  // as quire webhook names it
  bool has_scheme = options.events.starts_with(scheme);
  auto directory = has_scheme ? options.events.substr(scheme.size()) : options.events;
  TRY(auto events, TableEvents::open(common.store, directory));
  auto out = std::make_unique<OpenEvents>(OpenEvents{std::move(events)});
  TRY(out->shop, shop::ShopFile::open(options.shop));
  out->shop->watch([bell = out->shop_changed] { bell->ring(); });
  out->telling = std::make_unique<Telling>(Told{.log = out->events->log(),
                                                .comments = out->events->comments(),
                                                .directory = directory,
                                                .public_url = options.public_url,
                                                .shop = out->shop.get(),
                                                .shop_changed = *out->shop_changed});
  TRY_DONE(out->telling->begin());
  return out;
}

class Workers {
 public:
  // `events`: null where no log of them is kept.
  Workers(OpenProjection& open, TableEvents* events, const ProjectOptions& options) {
    projection::Pace pace;
    // The service allows five reads of a shard in a second, to all workers together.
    bool several = open.followed().size() + (events ? 1 : 0) > 1;
    pace.poll = Milliseconds(options.poll.value_or(several ? 400 : 250));
    for (const auto& each : open.followed()) {
      workers_.push_back({each.what, std::make_unique<Worker>(open.source(), *each.target,
                                                              options_of(open, each, pace))});
    }
    if (events)
      workers_.push_back(
          {"events", std::make_unique<Worker>(events->source(), events->log_of_stream(),
                                              options_of(*events, pace))});
  }

  // Runs until SIGTERM or SIGINT.
  void run() {
    asio::io_context context(1);
    asio::signal_set signals(context, SIGTERM, SIGINT);
    signals.async_wait([&](boost::system::error_code cancelled, int) {
      for (auto& each : workers_) {
        if (!cancelled) each.worker->stop();
      }
    });
    std::size_t running = workers_.size();
    for (auto& each : workers_) {
      asio::co_spawn(context, each.worker->run(), [&](std::exception_ptr failure) {
        if (--running == 0) signals.cancel();
        if (failure) std::rethrow_exception(failure);
      });
    }
    context.run();
  }

  // For operators. Thread-safe.
  std::vector<http::FollowedTarget> targets() const {
    std::vector<http::FollowedTarget> out;
    for (const auto& [what, worker] : workers_) {
      auto status = worker->status();
      const auto& counters = worker->counters();
      http::FollowedTarget target{
          what, {}, status.trouble, counters.changes, counters.failures, status.shards};
      auto now_ms = system_ms();
      if (status.phase == change::Phase::following && status.as_of_ms > 0)
        target.lag_seconds = static_cast<double>(now_ms - std::min(now_ms, status.as_of_ms)) / 1000;
      out.push_back(std::move(target));
    }
    return out;
  }

 private:
  struct Each {
    std::string what;
    std::unique_ptr<Worker> worker;
  };
  std::vector<Each> workers_;
};

// Serves /healthz, /readyz and /metrics of the workers, while it lives.
class WorkersServer {
 public:
  // Throws boost::system::system_error if it cannot listen there.
  // `events`: null where none are kept.
  WorkersServer(const OpenProjection& open, const Workers& workers, const OpenEvents* events,
                const Endpoint& listen)
      : metrics_(http::WorkerOperations::route_names()),
        operations_(
            metrics_, [&workers] { return workers.targets(); }, max_lag_seconds,
            metrics_of(open, events), deliveries_of(events)),
        server_(operations_, metrics_, listen) {}

  Endpoint endpoint() const { return server_.endpoint(); }

 private:
  using MetricsNow = std::function<std::vector<Metric>()>;

  static webhook::DeliveriesNow deliveries_of(const OpenEvents* events) {
    if (!events) return {};
    return [events] { return events->telling->deliveries(); };
  }
  // All who read the stream count the same damaged items.
  static MetricsNow metrics_of(const OpenProjection& open, const OpenEvents* events) {
    bool events_alone = events && open.followed().empty();
    if (events_alone) return [events] { return events->events->metrics(); };
    return [&open] { return open.metrics(); };
  }

  http::Metrics metrics_;
  http::WorkerOperations operations_;
  OperationsServer server_;
};

int project(const Common& common, const ProjectOptions& options) {
  std::optional<Endpoint> listen;
  if (!options.listen.empty()) {
    auto parsed = parse_endpoint(options.listen);
    if (!parsed) return fail(parsed.error());
    listen = *parsed;
  }
  auto open = options.events.empty() ? OpenProjection::open_followed(common.store, common.pages)
                                     : OpenProjection::open(common.store, common.pages);
  if (!open) return fail(open.error());
  std::signal(SIGPIPE, SIG_IGN);
  auto events = open_events(common, options);
  if (!events) return fail_by_line(events.error());
  auto* told = events->get();
  Workers workers(**open, told ? told->events.get() : nullptr, options);
  std::optional<WorkersServer> server;
  try {
    if (listen) server.emplace(**open, workers, told, *listen);
  } catch (const boost::system::system_error& refused) {
    return fail({ErrorCode::unavailable, fmt::format("Cannot listen on {}: {}.", options.listen,
                                                     refused.code().message())});
  }
  for (const auto& each : workers.targets()) fmt::print("following: {}\n", each.name);
  if (server) fmt::print("listening on {}\n", url_of(server->endpoint()));
  std::fflush(stdout);
  workers.run();
  return done;
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

Command add_project(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("project", "keep a table's page index, counts and webhooks in step");
  auto options = std::make_shared<ProjectOptions>();
  command
      ->add_option("--listen", options->listen,
                   "for /healthz, /readyz and /metrics; without it they are not served")
      ->option_text("ADDRESS:PORT")
      ->envname("QUIRE_PROJECT_LISTEN");
  command
      ->add_option(
          "--poll", options->poll,
          "ms between reads of a shard without changes [250; with several of statistics, page "
          "index and events 400]")
      ->option_text("MS")
      ->envname("QUIRE_POLL")
      ->check(CLI::Range(10, 60'000));
  command
      ->add_option("--events", options->events,
                   "keeps a log of events there, and tells the webhooks of the shop file")
      ->option_text("DIRECTORY")
      ->envname("QUIRE_EVENTS");
  command->add_option("--shop", options->shop, "the shop file, which has the webhooks")
      ->option_text("FILE")
      ->envname("QUIRE_SHOP");
  command
      ->add_option("--public-url", options->public_url,
                   "where visitors see the pages: messages to chats link to /moderation there")
      ->option_text("URL")
      ->envname("QUIRE_PUBLIC_URL")
      ->check(http::check_public_url);
  command->footer(
      "Example:\n"
      "  quire project --store 'dynamodb:comments?region=eu-west-1' \\\n"
      "    --pages redis://localhost");
  return {command, [&common, options] { return project(common, *options); }};
}

}  // namespace quire::cli
