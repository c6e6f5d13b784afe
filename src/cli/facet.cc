// quire facet and quire words: list, add, drop
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

// A facet or the words, while they are built or dropped.
struct Followed {
  struct Seen {
    State state;
    double progress;
    std::string all;  // another one whenever the process that writes the store goes on
  };
  std::string name, list;                             // of what, and the command that shows it
  bool writes;                                        // this process builds and drops
  std::function<Result<std::optional<Seen>>()> look;  // absent: it is gone
  std::function<std::optional<Error>()> hindrance;
};

Followed followed(const StoreFacets& store, const std::string& name) {
  auto look = [&store, name]() -> Result<std::optional<Followed::Seen>> {
    TRY(auto facets, store.list());
    auto status = find(facets, name);
    if (!status) return std::optional<Followed::Seen>();
    // The writer works on one facet after the other.
    return std::optional(
        Followed::Seen{status->state, status->progress, http::facets_json(facets)});
  };
  return {name, "quire facet list", store.writes(), look, [&store] { return store.hindrance(); }};
}

Followed followed(const StoreWords& words) {
  auto look = [&words]() -> Result<std::optional<Followed::Seen>> {
    TRY(auto status, words.status());
    if (!status) return std::optional<Followed::Seen>();
    return std::optional(Followed::Seen{status->state, status->progress,
                                        fmt::format("{} {}", status->progress, status->bytes)});
  };
  return {"words", "quire words list", words.writes(), look,
          [&words] { return words.hindrance(); }};
}

// Waits while it is in this state. Shows the progress. False: it is being dropped, which takes
// long. An error: whoever writes the store does not go on.
Result<bool> follow(const Followed& work, State state) {
  bool dropping = state == State::dropping;
  const auto* deed = dropping ? "Dropping" : "Building";
  Progress bar((dropping ? "dropping " : "building ") + work.name);
  std::string all;
  for (auto moved = Clock::now();;) {
    TRY(auto seen, work.look());
    if (!seen || seen->state != state) return true;
    if (auto error = work.hindrance()) {
      error->message = fmt::format("{} {} failed. {}", deed, work.name, error->message);
      return std::move(*error);
    }
    // Dropping shows no progress.
    if (seen->all != all || (dropping && work.writes)) moved = Clock::now();
    all = seen->all;
    if (Clock::now() - moved > builder_timeout) {
      if (dropping) {  // the process that writes the store drops it, and may take long
        fmt::print(stderr, "{} is being dropped. {} shows when it is gone.\n", work.name,
                   work.list);
        return false;
      }
      return Error{
          ErrorCode::unavailable,
          "The process that writes the store does not go on with " + work.name +
              ". Its log says why. See whether it runs, is of this version and has room on its "
              "disk, and whether quire verify finds the store whole, then run the command again."};
    }
    bar.show(seen->progress, static_cast<std::uint64_t>(seen->progress * 100));
    std::this_thread::sleep_for(poll_time);
  }
}

int add(const Common& common, const Facet& facet) {
  auto store = StoreFacets::open(common.store, common.pages);
  if (!store) return fail(store.error());
  auto declared = store->declare(facet);
  if (!declared) return fail(declared.error());
  auto built = follow(followed(*store, facet.name), State::building);
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
  auto gone = follow(followed(*store, name), State::dropping);
  if (!gone) return fail(gone.error());
  if (*gone && !common.json) fmt::print("dropped {}\n", printable(name));
  return done;
}

std::string rules_text() {
  const auto& rules = words::rules();
  return fmt::format("{}, ICU {}, Unicode {}", rules.number, rules.icu, rules.unicode);
}

int show_words(const Common& common, const std::optional<WordStatus>& status) {
  std::string state(status ? http::state_text(status->state) : "none");
  if (common.json) {
    fmt::print("{{\"state\":\"{}\"", state);
    if (status) fmt::print(",\"progress\":{},\"bytes\":{}", status->progress, status->bytes);
    fmt::print(",\"rules\":\"{}\"}}\n", rules_text());
    return done;
  }
  if (status && status->state == State::building)
    state += fmt::format(" {:.0f} %", status->progress * 100);
  fmt::print("words  {}", state);
  if (status) fmt::print("  {} bytes", status->bytes);
  fmt::print("  rules {}\n", rules_text());
  return done;
}

int list_words(const Common& common) {
  auto status = words_of(common.store, common.pages);
  return status ? show_words(common, *status) : fail(status.error());
}

int add_words_to(const Common& common) {
  auto words = StoreWords::open(common.store, common.pages);
  if (!words) return fail(words.error());
  auto added = words->add();
  if (!added) return fail(added.error());
  if (!words->needs_backfill()) {
    auto built = follow(followed(*words), State::building);
    if (!built) return fail(built.error());
  }
  auto status = words->status();
  if (!status) return fail(status.error());
  if (!*status)
    return fail({ErrorCode::unavailable, "Words were dropped meanwhile. To have them, add them."});
  if (words->needs_backfill() && (*status)->state == State::building)
    fmt::print(stderr, "quire backfill builds the page index anew, with words.\n");
  return show_words(common, *status);
}

int drop_words_from(const Common& common) {
  if (auto there = is_there(common.store); !there) return fail(there.error());
  // A store that is opened goes on with what was begun, and may end before it is asked.
  auto before = words_of(common.store, common.pages);
  if (!before) return fail(before.error());
  bool begun = *before && (*before)->state == State::dropping;
  auto words = StoreWords::open(common.store, common.pages);
  if (!words) return fail(words.error());
  auto dropped = words->drop();
  bool ended = begun && !dropped && dropped.error().code == ErrorCode::not_found;
  if (!dropped && !ended) return fail(dropped.error());
  auto gone = follow(followed(*words), State::dropping);
  if (!gone) return fail(gone.error());
  if (*gone && !common.json) fmt::print("dropped words\n");
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
            return add->parsed() ? add_words_to(common) : drop_words_from(common);
          }};
}

}  // namespace quire::cli
