// quire words list, add, drop
#include <fmt/core.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "app/words.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"
#include "http/api/json.h"
#include "words/rules.h"

namespace quire::cli {
namespace {

using WordClock = std::chrono::steady_clock;
using WordState = FacetStatus::State;

constexpr auto look_time = std::chrono::milliseconds(50);
// A process that does not go on for so long builds nothing: its disk is full, for example.
constexpr auto writer_timeout = std::chrono::seconds(20);

std::string rules_text() {
  const auto& rules = words::rules();
  return fmt::format("{}, ICU {}, Unicode {}", rules.number, rules.icu, rules.unicode);
}

int show(const Common& common, const std::optional<WordStatus>& status) {
  std::string state(status ? http::state_text(status->state) : "none");
  if (common.json) {
    fmt::print("{{\"state\":\"{}\"", state);
    if (status) fmt::print(",\"progress\":{},\"bytes\":{}", status->progress, status->bytes);
    fmt::print(",\"rules\":\"{}\"}}\n", rules_text());
    return done;
  }
  if (status && status->state == WordState::building)
    state += fmt::format(" {:.0f} %", status->progress * 100);
  fmt::print("words  {}", state);
  if (status) fmt::print("  {} bytes", status->bytes);
  fmt::print("  rules {}\n", rules_text());
  return done;
}

int list_words(const Common& common) {
  auto status = words_of(common.store);
  return status ? show(common, *status) : fail(status.error());
}

// Waits while the index is in this state. Shows the progress. An error: whoever writes the store
// does not go on.
Status follow_words(const StoreWords& words, WordState state) {
  bool builds = state == WordState::building;
  Progress bar(builds ? "building words" : "dropping words");
  auto moved = WordClock::now();
  for (std::optional<WordStatus> seen;;) {
    TRY(auto status, words.status());
    if (!status || status->state != state) return Done{};
    if (auto error = words.hindrance()) return std::move(*error);
    bool same = seen && seen->progress == status->progress && seen->bytes == status->bytes;
    if (!same || (!builds && words.writes())) moved = WordClock::now();
    seen = status;
    if (WordClock::now() - moved > writer_timeout) {
      return Error{ErrorCode::unavailable,
                   "The process that writes the store does not go on with words. Its log says why. "
                   "See whether it runs, is of this version and has room on its disk, and whether "
                   "quire verify finds the store whole, then run the command again."};
    }
    bar.show(status->progress, static_cast<std::uint64_t>(status->progress * 100));
    std::this_thread::sleep_for(look_time);
  }
}

int add_to_store(const Common& common) {
  auto words = StoreWords::open(common.store);
  if (!words) return fail(words.error());
  auto added = words->add();
  if (!added) return fail(added.error());
  auto built = follow_words(*words, WordState::building);
  if (!built) return fail(built.error());
  auto status = words->status();
  if (!status) return fail(status.error());
  if (!*status)
    return fail({ErrorCode::unavailable, "Words were dropped meanwhile. To have them, add them."});
  return show(common, *status);
}

int drop_from_store(const Common& common) {
  if (auto there = is_there(common.store); !there) return fail(there.error());
  // A store that is opened goes on with what was begun, and may end before it is asked.
  auto before = words_of(common.store);
  if (!before) return fail(before.error());
  bool begun = *before && (*before)->state == WordState::dropping;
  auto words = StoreWords::open(common.store);
  if (!words) return fail(words.error());
  auto dropped = words->drop();
  bool ended = begun && !dropped && dropped.error().code == ErrorCode::not_found;
  if (!dropped && !ended) return fail(dropped.error());
  auto gone = follow_words(*words, WordState::dropping);
  if (!gone) return fail(gone.error());
  if (!common.json) fmt::print("dropped words\n");
  return done;
}

}  // namespace

Command add_words(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("words", "list, add, drop the index of the comments' words");
  command->require_subcommand(1);
  command->footer(
      "Examples: quire words add\n"
      "          quire words list");
  auto* show = command->add_subcommand("list", "print its state, its bytes and its rules");
  show->footer("Example: quire words list --json");
  auto* add = command->add_subcommand(
      "add",
      "build the index and keep it, also beside a server; stopped, it goes on when it is called "
      "again");
  add->footer("Example: quire words add");
  auto* drop = command->add_subcommand("drop", "drop the index; comments stay as they are");
  drop->footer("Example: quire words drop");
  return {command, [&common, show, add] {
            if (show->parsed()) return list_words(common);
            return add->parsed() ? add_to_store(common) : drop_from_store(common);
          }};
}

}  // namespace quire::cli
