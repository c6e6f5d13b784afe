// quire facet and quire words: list, add, drop
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include <cstdint>
#include <string>
#include "app/facets.h"
#include "app/words.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"
#include "http/api/json.h"
#include "model/schema.h"
#include "words/rules.h"

namespace quire::cli {
namespace {

using Clock = std::chrono::steady_clock;
using State = FacetStatus::State;

constexpr auto poll_time = std::chrono::milliseconds(50);
// A process that does not go on for so long builds nothing: its disk is full, for example.
constexpr auto builder_timeout = std::chrono::seconds(20);

const std::map<std::string, FacetType> types(std::begin(facet_types), std::end(facet_types));

void print(const FacetStatus& status) {
  std::string state(http::state_text(status.state));
  if (status.state == State::building) state += fmt::format(" {:.0f} %", status.progress * 100);
  fmt::print("{:<20}  {:<6}  {}", status.facet.name, type_text(status.facet.type), state);
  if (!status.facet.values.empty())
    fmt::print("  {}", printable(fmt::format("{}", fmt::join(status.facet.values, ", "))));
  fmt::print("\n");
}

int list(const Common& common) {
  auto facets = facets_of(common.store, common.pages);
  if (!facets) return fail(facets.error());
  if (common.json) {
    fmt::print("{}\n", http::facets_json(*facets));
    return done;
  }
  for (const auto& status : *facets) print(status);
  return done;
}

std::optional<FacetStatus> find(const std::vector<FacetStatus>& facets, const std::string& name) {
  for (const auto& each : facets) {
    if (each.facet.name == name) return each;
  }
  return {};
}

// The process that writes the store drops the facet, and may take long.
Status still_dropping(const std::string& name) {
  fmt::print(stderr, "{} is being dropped. quire facet list shows when it is gone.\n", name);
  return Done{};
}

// Waits while the facet is in this state. Shows the progress. An error: whoever writes the store
// does not go on.
Status follow(const StoreFacets& store, const std::string& name, State state) {
  Progress bar(state == State::building ? "building " + name : "dropping " + name);
  std::vector<FacetStatus> seen;
  auto moved = Clock::now();
  for (;;) {
    TRY(auto facets, store.list());
    auto status = find(facets, name);
    if (!status || status->state != state) return Done{};
    // The writer works on one facet after the other. Dropping shows no progress.
    bool dropping = state == State::dropping;
    if (auto error = store.hindrance()) {
      error->message =
          fmt::format("{} {} failed. {}", dropping ? "Dropping" : "Building", name, error->message);
      return std::move(*error);
    }
    if (facets != seen || (dropping && store.writes())) moved = Clock::now();
    seen = facets;
    if (Clock::now() - moved > builder_timeout) {
      if (dropping) return still_dropping(name);
      return Error{
          ErrorCode::unavailable,
          "The process that writes the store does not go on with " + name +
              ". Its log says why. See whether it runs, is of this version and has room on its "
              "disk, and whether quire verify finds the store whole, then run the command again."};
    }
    bar.show(status->progress, static_cast<std::uint64_t>(status->progress * 100));
    std::this_thread::sleep_for(poll_time);
  }
}

int add(const Common& common, const Facet& facet) {
  auto store = StoreFacets::open(common.store, common.pages);
  if (!store) return fail(store.error());
  auto declared = store->declare(facet);
  if (!declared) return fail(declared.error());
  auto built = follow(*store, facet.name, State::building);
  if (!built) return fail(built.error());
  auto facets = store->list();
  if (!facets) return fail(facets.error());
  auto status = find(*facets, facet.name);
  if (!status)
    return fail(
        {ErrorCode::unavailable, "The facet was dropped meanwhile. To have it, add it again."});
  if (common.json) {
    fmt::print("{}\n", http::facets_json({*status}));
  } else {
    print(*status);
    if (store->needs_backfill())
      fmt::print(stderr, "quire backfill adds it to the page index, if there is one.\n");
  }
  return done;
}

bool is_dropping(const Common& common, const std::string& name) {
  auto facets = facets_of(common.store);
  if (!facets) return false;
  auto status = find(*facets, name);
  return status && status->state == State::dropping;
}

int drop(const Common& common, const std::string& name) {
  if (auto there = is_there(common.store); !there) return fail(there.error());
  // A store that is opened goes on with what was begun, and may end before it is asked.
  bool begun = is_dropping(common, name);
  auto store = StoreFacets::open(common.store, common.pages);
  if (!store) return fail(store.error());
  auto dropped = store->drop(name);
  bool ended = begun && !dropped && dropped.error().code == ErrorCode::not_found;
  if (!dropped && !ended) return fail(dropped.error());
  auto gone = follow(*store, name, State::dropping);
  if (!gone) return fail(gone.error());
  if (!common.json) fmt::print("dropped {}\n", printable(name));
  return done;
}

}  // namespace

Command add_facet(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("facet", "list, declare, drop what to filter, count and sort by");
  command->require_subcommand(1);
  command->footer(
      "Examples: quire facet add verified --type flag\n"
      "          quire facet add size --type choice --values S,M,L,XL\n"
      "          quire facet list");
  auto facet = std::make_shared<Facet>();

  auto* show = command->add_subcommand("list", "print the facets and their state");
  show->footer("Example: quire facet list --json");

  auto* declare = command->add_subcommand("add",
                                          "declare a facet and build it, also beside a server; "
                                          "stopped, it goes on when it is called again");
  declare->add_option("NAME", facet->name, "of the attribute: a-z, 0-9, _; at most 32")->required();
  declare
      ->add_option("--type", facet->type,
                   "flag (true or false), choice (one text), tags (several texts) or number")
      ->required()
      ->transform(one_of(types))
      ->option_text("TYPE");
  // CLI11's own lists take the arguments that follow for values where they have too few.
  auto take = [facet = facet.get()](const std::vector<std::string>& lists) {
    for (const auto& list : lists) {
      for (auto& value : CLI::detail::split(list + ",", ',')) {
        if (value.empty())
          throw CLI::ValidationError("--values", fmt::format("\"{}\" has an empty value", list));
        facet->values.push_back(std::move(value));
      }
    }
  };
  declare
      ->add_option_function<std::vector<std::string>>(
          "--values", take, "all values of a choice, in their order; left out, any text is one")
      ->allow_extra_args(false)
      ->option_text("A,B,C");
  declare->footer(
      "Examples: quire facet add size --type choice --values S,M,L,XL\n"
      "          quire facet add helpful --type number");

  auto* remove = command->add_subcommand("drop", "drop a facet; comments keep their attributes");
  remove->add_option("NAME", facet->name, "of the facet")->required();
  remove->footer("Example: quire facet drop size");

  return {command, [&common, facet, show, declare] {
            if (show->parsed()) return list(common);
            if (declare->parsed()) return add(common, *facet);
            return drop(common, facet->name);
          }};
}

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
