// A small shop that `quire generate --demo` makes, the same each time: products with names, brands
// and pictures; comments with pictures and replies; comments that wait for a moderator, and
// reports.
#pragma once

#include <vector>

#include "model/moderation.h"
#include "product/facts.h"
#include "quire/comment.h"
#include "quire/facet.h"

namespace quire::cli {

struct Demo {
  std::vector<Facet> facets;
  std::vector<NamedFacts> products;  // the first has most comments
  std::vector<Comment> comments;
  std::vector<ReportRow> reports;  // of these comments
};

Demo make_demo();

// What a server with --demo takes for its shop file, unless there is one.
extern const char* const demo_shop;

}  // namespace quire::cli
