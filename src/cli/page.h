// What `quire page` and `quire explain` share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::cli {

// Adds the product and the options of a filter. `query` must outlive the command.
void add_filter(CLI::App& command, Query& query);
// Adds all options of a query.
std::shared_ptr<Query> add_query(CLI::App& command);

// Finds the page, and prints it by `print`, or as JSON. Returns the exit status.
int show_page(const Common& common, const Query& query,
              void (*print)(const Common&, const FoundPage&));

}  // namespace quire::cli
