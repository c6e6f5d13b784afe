// The facets of the store in one state, and a cache of the last one read.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "store/embedded/format/rows.h"

namespace quire::embedded {

struct Databases;

// The facets of one state. They are built and dropped one after another: which comments are in the
// one being built follows from a single key.
struct StoredSchema {
  SchemaRow row;
  std::vector<FacetRow> facets;  // the declared ones, by number
  Schema schema;                 // for requests
  // The facets in which comments are indexed: those that are ready, and the one that is built now.
  Schema indexed;
  std::vector<FacetNumber> dropping;
  std::uint64_t states = 0;  // a hash of which facets there are, and of their states

  // The facet that is built or dropped now: one whose building has begun, else the one with the
  // least number. nullptr: none is.
  const FacetRow* unfinished() const;
  // Whether the facet that is built now has passed a comment of this key.
  bool passed(std::string_view comment_key) const;
};

// Reads the facets as a transaction sees them. Throws std::runtime_error when a row is damaged.
StoredSchema read_schema(const lmdb::Transaction& txn, const Databases& databases);

// Keeps the schema that was read last. Thread-safe.
class SchemaCache {
 public:
  // As the transaction sees it, which must not have changed it. Throws as read_schema().
  std::shared_ptr<const StoredSchema> get(const lmdb::Transaction& txn,
                                          const Databases& databases) const;

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const StoredSchema> last_;
};

}  // namespace quire::embedded
