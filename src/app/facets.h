// The facets of a store, to be declared and dropped beside a running server or without one.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  bool writes() const { return !beside_; }
  // Why this process does not go on, where it builds and drops. Absent: it goes on.
  std::optional<Error> hindrance() const {
    return beside_ ? std::nullopt : open_.store->facets()->hindrance();
  }

 private:
  // A store that this process may not write, because another does.
  // A process never has a directory open twice, so it is opened for each read and each change.
  struct Beside {
    std::string address;
    Error refused;  // why this process may not

    std::string directory() const;
  };

  StoreFacets(std::unique_ptr<PageIndex> index, OpenStore open, std::optional<Beside> beside,
              bool needs_backfill)
      : index_(std::move(index)),
        open_(std::move(open)),
        beside_(std::move(beside)),
        needs_backfill_(needs_backfill) {}

  // The outcome of a change beside the process that writes.
  Status outcome(Status changed) const;

  std::unique_ptr<PageIndex> index_;  // null: the store needs none
  OpenStore open_;
  std::optional<Beside> beside_;
  bool needs_backfill_;
};

// The facets of a store, read while another process writes.
Result<std::vector<FacetStatus>> facets_of(const std::string& address,
                                           const std::string& pages = {});

}  // namespace quire
