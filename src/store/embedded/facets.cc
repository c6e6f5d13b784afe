// Declares, builds and drops facets. A facet is built from the comments in the order of their keys,
// in pieces. A write of a comment puts it into the facet only where building has passed its key, so
// builder and writers neither miss nor double a comment.
#include "store/embedded/facets.h"

#include <algorithm>
#include <functional>

#include "base/try.h"
#include "bitmap_index/reading/selection.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/writer.h"

namespace quire::embedded {
namespace {

using State = FacetStatus::State;

constexpr std::size_t rows_at_once = 200;

// Whether just this facet is declared: a command that was stopped declares it again.
bool is_declared(const Schema& schema, const Facet& facet) {
  auto* known = schema.find(facet.name);
  return known && known->status.state != State::dropping && known->facet().type == facet.type &&
         known->facet().values == facet.values && known->number >= first_declared_number;
}

}  // namespace

const StoredSchema& Edit::schema() {
  if (!schema_) schema_ = db_.schemas.get(txn_.get(), db_);
  return *schema_;
}

void Edit::put_schema(SchemaRow row) {
  ++row.version;
  txn_.put(db_.meta, "schema", encode_schema(row));
  // Not the cache: this transaction may be aborted.
  schema_ = std::make_shared<const StoredSchema>(read_schema(txn_.get(), db_));
}

void Edit::put_facet(const FacetRow& row) {
  txn_.put(db_.facets, facet_key(row.number), encode_facet(row));
}

Status Edit::declare(const Facet& facet) {
  write_products();  // what was written before is indexed as declared before
  if (is_declared(schema().schema, facet)) return Done{};
  TRY_DONE(check_declaration(schema().schema, facet));
  SchemaRow row = schema().row;
  if (row.next == bitmap_index::every_id) {
    return Error{ErrorCode::unavailable,
                 "The store has no facet numbers left. Import its export into a new store."};
  }
  put_facet({row.next, txn_.entries(db_.comments) == 0 ? State::ready : State::building, facet});
  ++row.next;
  put_schema(row);
  return Done{};
}

Status Edit::drop(std::string_view name) {
  write_products();
  auto& facets = schema().facets;
  auto at = std::find_if(facets.begin(), facets.end(),
                         [&](const FacetRow& row) { return row.facet.name == name; });
  if (at == facets.end()) {
    return Error{ErrorCode::not_found,
                 "There is no declared facet of this name: quire facet list shows them."};
  }
  if (at->state == State::dropping) return Done{};
  put_facet({at->number, State::dropping, at->facet});
  put_schema(schema().row);
  return Done{};
}

bool Edit::work_on_facets(const std::function<bool()>& enough) {
  write_products();
  while (auto* facet = schema().unfinished()) {
    bool done = facet->state == State::building ? build(*facet, enough) : drop_rows(*facet, enough);
    put_schema(schema().row);
    if (!done) return true;
  }
  return false;
}

// Returns whether the facet is ready.
bool Edit::build(FacetRow facet, const std::function<bool()>& enough) {
  if (keyless_) throw std::runtime_error("the index is damaged: run quire verify --repair");
  bitmap_index::IndexEdit edit(db_.index, txn_, schema().dropping);
  lmdb::Cursor cursor(txn_.get(), db_.comments);
  const FacetNumber only[] = {facet.number};  // the values of other facets stay
  do {
    auto behind = facet.built ? std::string_view(*facet.built) : std::string_view();
    auto piece = read_piece(cursor, db_.comments, behind);
    if (!piece.last) {
      facet.state = State::ready;
      facet.built = {};
      put_facet(facet);
      return true;
    }
    std::vector<bitmap_index::Change> changes;
    for (const auto& [id, comment] : piece.comments) {
      if (!comment) continue;
      auto values = bitmap_index::values_of(db_.index.hash_key, schema().indexed, *comment, true);
      changes.push_back({id, std::move(values), only});
    }
    edit.apply(piece.product, changes);
    facet.built = piece.last;
    facet.passed += piece.comments.size();
  } while (!enough());
  put_facet(facet);
  return false;
}

// Returns whether nothing of the facet is left.
bool Edit::drop_rows(FacetRow facet, const std::function<bool()>& enough) {
  bitmap_index::IndexEdit edit(db_.index, txn_);
  do {
    auto next =
        edit.drop_facet(facet.number, static_cast<ProductNumber>(facet.passed), rows_at_once);
    if (!next) {
      txn_.remove(db_.facets, std::string_view(facet_key(facet.number)));
      return true;
    }
    facet.passed = *next;
  } while (!enough());
  put_facet(facet);
  return false;
}

Status declare_beside(const std::string& directory, const Facet& facet) {
  return change_beside(directory, [&](Edit& edit) { return edit.declare(facet); });
}

Status drop_beside(const std::string& directory, const std::string& name) {
  return change_beside(directory, [&](Edit& edit) { return edit.drop(name); });
}

}  // namespace quire::embedded
