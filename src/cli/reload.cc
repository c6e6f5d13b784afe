#include "cli/reload.h"

#include <spdlog/spdlog.h>

#include <set>
#include <string_view>

#include "base/try.h"
#include "cli/serving/serve_options.h"
#include "cli/terminal/log.h"

namespace quire::cli {
namespace {

// The options that a server takes while it serves. docs/serving.md has the same list.
const std::set<std::string_view> live = {"max-connections", "max-connections-client", "max-unsent",
                                         "posts-per-minute-client", "posts-per-minute-product"};

}  // namespace

void Reload::run() {
  reopen_logs();
  if (parts_.shop) parts_.shop->reload();
  auto now = read_settings(settings_.common.typed);
  auto taken = now ? take(*now) : now.error();
  if (!taken) return spdlog::error("{} All settings stay as they were.", taken.error().message);
  spdlog::info("SIGHUP: logs are opened again, and settings read");
}

void Reload::reopen_logs() {
  auto report = [](const Status& opened) {
    if (!opened) spdlog::error("{} Its lines go where they went.", opened.error().message);
  };
  report(reopen_standard_error());
  if (parts_.access_log) report(reopen_log(parts_.access_log->file, parts_.access_log->descriptor));
  if (parts_.audit) report(parts_.audit->reopen());
}

Status Reload::take(const Settings& now) {
  TRY(auto options, server_options(now.common.serve));
  for (const auto& [name, text] : now.texts) {
    auto& before = settings_.texts[name];
    if (before == text) continue;
    if (!live.contains(name)) {
      spdlog::warn("{} has changed: the server takes it when it is started again", name);
      continue;
    }
    spdlog::info("{} is now {}", name, text);
    before = text;
  }
  parts_.server.set(options.limits);
  parts_.limits.set(now.common.serve.rates);
  return Done{};
}

}  // namespace quire::cli
