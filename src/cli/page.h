// Options and output of `quire page` and `quire explain`.
#pragma once

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/commands.h"
#include "quire/page.h"
#include "quire/ulid.h"
#include "service/comments.h"

namespace quire::cli {

// The line with the time up to which numbers hold, if they may be behind.
inline void print_as_of(AsOf as_of_ms) {
  if (!as_of_ms) return;
  fmt::print("{:<16} {}\n", "as of", *as_of_ms > 0 ? time_text(*as_of_ms) : "not known");
}

// The text, cut to at most so many bytes, without what a terminal would obey.
std::string shown(std::string_view text, std::size_t max_bytes);

// Adds the product and the options of a filter. `query` must outlive the command.
void add_filter(CLI::App& command, Query& query);
// Adds all options of a query.
std::shared_ptr<Query> add_query(CLI::App& command);

// Finds the page, and prints it by `print`, or as JSON. Returns the exit status.
int show_page(const Common& common, const Query& query,
              void (*print)(const Common&, const FoundPage&));

}  // namespace quire::cli
