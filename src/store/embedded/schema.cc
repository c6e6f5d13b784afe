#include "store/embedded/schema.h"

#include <algorithm>

#include "base/hash.h"
#include "store/embedded/databases.h"

namespace quire::embedded {
namespace {

using State = FacetStatus::State;

SchemaRow read_row(const lmdb::Transaction& txn, const Databases& databases) {
  auto row = txn.find(databases.meta, "schema");
  return decode_schema(row.value_or(""));
}

std::vector<FacetRow> read_facets(const lmdb::Transaction& txn, const Databases& databases) {
  std::vector<FacetRow> facets;
  for (const auto& entry : lmdb::Entries(txn, databases.facets)) {
    auto bytes = lmdb::unsealed(databases.facets.seed, entry.key(), entry.value());
    facets.push_back(decode_facet(entry.key(), bytes.value_or("")));
  }
  return facets;
}

// From 0 to 1, and 1 only when it is ready.
double progress(const FacetRow& row, std::uint64_t comments) {
  constexpr double nearly = 0.999;
  if (row.state != State::building) return 1;
  return std::min(nearly, static_cast<double>(row.passed) /
                              static_cast<double>(std::max<std::uint64_t>(comments, 1)));
}

}  // namespace

const FacetRow* StoredSchema::unfinished() const {
  const FacetRow* first = nullptr;
  for (const auto& row : facets) {
    if (row.built) return &row;
    if (!first && row.state != State::ready) first = &row;
  }
  return first;
}

bool StoredSchema::passed(std::string_view comment_key) const {
  auto* row = unfinished();
  return row && row->built && comment_key <= std::string_view(*row->built);
}

StoredSchema read_schema(const lmdb::Transaction& txn, const Databases& databases) {
  auto comments = txn.entries(databases.comments);
  StoredSchema stored{read_row(txn, databases), read_facets(txn, databases), {}, {}, {}};
  std::vector<SchemaFacet> all, indexed;
  std::string states;
  auto* unfinished = stored.unfinished();
  for (const auto& row : stored.facets) {
    SchemaFacet facet{row.number, {row.facet, row.state, progress(row, comments)}};
    all.push_back(facet);
    // Its number is never given again, so the number stands for name, type and values.
    states.append(facet_key(row.number)).push_back(static_cast<char>(row.state));
    if (row.state == State::dropping) stored.dropping.push_back(row.number);
    bool now = row.state == State::building && &row == unfinished;
    if (row.state == State::ready || now) indexed.push_back(std::move(facet));
  }
  stored.schema = Schema(std::move(all));
  stored.indexed = Schema(std::move(indexed));
  stored.states = long_hash(states);
  return stored;
}

std::shared_ptr<const StoredSchema> SchemaCache::get(const lmdb::Transaction& txn,
                                                     const Databases& databases) const {
  auto version = read_row(txn, databases).version;
  {
    std::lock_guard lock(mutex_);
    if (last_ && last_->row.version == version) return last_;
  }
  auto read = std::make_shared<const StoredSchema>(read_schema(txn, databases));
  std::lock_guard lock(mutex_);
  // A reader of an old state may come late.
  if (!last_ || last_->row.version < version) last_ = read;
  return read;
}

}  // namespace quire::embedded
