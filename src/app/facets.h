// The facets of a store, to be declared and dropped beside a running server or without one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/beside.h"
#include "app/open.h"
#include "quire/facet.h"
#include "quire/result.h"
#include "store/ports.h"

namespace quire {

// Not thread-safe.
class StoreFacets {
 public:
  // Opens the store to write. Where another process writes, facets are declared all the same, and
  // that process builds and drops them.
  // `pages`: the page index of a table that others made, which keeps the facets.
  static Result<StoreFacets> open(const std::string& address, const std::string& pages = {});

  // Returns at once: see list() for the state. A facet that is declared already in just this way is
  // no error. invalid_parameter; unavailable.
  Status declare(const Facet& facet);
  // The same. A facet that is being dropped already is no error. not_found; invalid_parameter;
  // unavailable.
  Status drop(const std::string& name);
  // The facets now: language and rating first.
  Result<std::vector<FacetStatus>> list() const;

  // Whether a page index beside the store has to be told by `quire backfill`: that of a table.
  bool needs_backfill() const { return needs_backfill_; }

  // Whether this process builds and drops while this lives. What it leaves goes on as soon as the
  // store is opened to write.
  bool writes() const { return !store_.beside; }
  // Why this process does not go on, where it builds and drops. Absent: it goes on.
  std::optional<Error> hindrance() const {
    return store_.beside ? std::nullopt : store_.open.store->facets()->hindrance();
  }

 private:
  StoreFacets(std::unique_ptr<PageIndex> index, ChangedStore store, bool needs_backfill)
      : index_(std::move(index)), store_(std::move(store)), needs_backfill_(needs_backfill) {}

  std::unique_ptr<PageIndex> index_;  // null: the store needs none
  ChangedStore store_;
  bool needs_backfill_;
};

// The facets of a store, read while another process writes.
Result<std::vector<FacetStatus>> facets_of(const std::string& address,
                                           const std::string& pages = {});

}  // namespace quire
