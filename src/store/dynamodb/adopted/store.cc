#include "store/dynamodb/adopted/store.h"

#include <algorithm>

#include "base/try.h"
#include "plan/plan.h"
#include "store/dynamodb/adopted/view.h"

namespace quire::adopted {
namespace {

constexpr double unit = 0.5;         // of an eventually consistent read
constexpr double entry_part = 0.15;  // of a unit, that an entry of 600 bytes costs in a query

Error read_only() {
  return {ErrorCode::forbidden,
          "The table belongs to other programs, and Quire only reads it. Write as they do; quire "
          "project brings the change here."};
}

Error facets_need_index() {
  return {ErrorCode::invalid_parameter,
          "The facets of a table that others made are kept in its page index: --pages lmdb:DIR.",
          "pages"};
}

// The numbers of facets are not given again while the index may hold them.
FacetNumber next_number(const Schema& declared, const Schema& held) {
  FacetNumber next = first_declared_number;
  for (const auto* schema : {&declared, &held})
    for (const auto& facet : schema->facets()) next = std::max<FacetNumber>(next, facet.number + 1);
  return next;
}

}  // namespace

CostModel AdoptedStore::costs() const {
  CostModel costs{.per_list = 0.01, .per_entry = {}, .step = unit};
  costs.per_entry.fill(no_such_list);
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const auto& list = table_.lists[i];
    // Items of an index that lacks attributes are read from the table.
    if (list && !access_->filling.has(i))
      costs.per_entry[i] = list->whole() ? entry_part * unit : entry_part * unit + unit;
  }
  costs.per_comment = unit;
  return costs;
}

std::unique_ptr<View> AdoptedStore::view() {
  return std::make_unique<AdoptedView>(*access_, table_, index_);
}

std::vector<Metric> AdoptedStore::metrics() const {
  return dynamodb::figures_of(*access_);
}

std::optional<Generation> AdoptedStore::generation(std::string_view product) {
  return generations_.present(product);
}

Awaitable<Status> AdoptedStore::ready() {
  return look_at_lists(*access_, table_);
}

Awaitable<Result<std::string>> AdoptedStore::insert(Comment, std::optional<RequestKey>,
                                                    CustomerTerms) {
  co_return read_only();
}

Awaitable<Result<Edited>> AdoptedStore::update(Ulid, Patch, Condition, Moderate) {
  co_return read_only();
}

Awaitable<Result<std::string>> AdoptedStore::remove(Ulid, Condition) {
  co_return read_only();
}

Awaitable<Result<Imported>> AdoptedStore::import_rows(std::vector<ImportRow>, ImportTerms) {
  co_return read_only();
}

Awaitable<Status> AdoptedStore::keep_removed(std::vector<Ulid>) {
  co_return read_only();
}

Awaitable<Status> AdoptedStore::declare(Facet facet) {
  if (!index_) co_return facets_need_index();
  Redeclare add = [facet = std::move(facet)](const auto& known,
                                             const auto& held) -> Result<Schema> {
    const auto* same = known.find(facet.name);
    if (same && same->facet() == facet) return known;
    TRY_DONE(check_declaration(known, facet));
    auto facets = known.declared();
    facets.push_back({next_number(known, held), {facet}});
    return Schema(std::move(facets));
  };
  co_return co_await index_->declare(std::move(add));
}

Awaitable<Status> AdoptedStore::drop(std::string name) {
  if (!index_) co_return facets_need_index();
  Redeclare without = [name = std::move(name)](const auto& known, const auto&) -> Result<Schema> {
    auto facets = known.declared();
    auto dropped =
        std::erase_if(facets, [&](const auto& each) { return each.facet().name == name; });
    if (dropped > 0) return Schema(std::move(facets));
    return Error{ErrorCode::not_found, "There is no facet " + name + ": see quire facet list."};
  };
  co_return co_await index_->declare(std::move(without));
}

}  // namespace quire::adopted
