#include "app/facets.h"

#include "app/followed_table.h"
#include "base/try.h"
#include "loop/loop.h"
#include "store/embedded/facets.h"
#include "store/ports.h"

namespace quire {
namespace {

constexpr std::string_view embedded_scheme = "lmdb:";

// The index that keeps the facets of a table that others made; null for any other store.
Result<std::unique_ptr<PageIndex>> index_of(const std::string& address, const std::string& pages,
                                            Access access) {
  if (!is_adopted(address)) return std::unique_ptr<PageIndex>();
  return open_pages(pages, address, access);
}

Awaitable<Result<std::vector<FacetStatus>>> read_facets(Store& store) {
  auto view = store.view();
  CO_TRY(auto schema, co_await view->schema());
  co_return schema->statuses();
}

}  // namespace

Result<StoreFacets> StoreFacets::open(const std::string& address, const std::string& pages) {
  bool embedded = address.starts_with(embedded_scheme);
  TRY(auto index, index_of(address, pages, Access::write));
  auto open = open_store(address, Access::write, index.get());
  if (open && !open->store->facets()) return no_facets();
  if (open) return StoreFacets(std::move(index), std::move(*open), {}, !embedded);
  if (!embedded || !open_store(address, Access::read)) return open.error();
  return StoreFacets(nullptr, {}, Beside{address, open.error()}, false);
}

std::string StoreFacets::Beside::directory() const {
  return address.substr(embedded_scheme.size());
}

Status StoreFacets::outcome(Status changed) const {
  // What makes both ways unavailable is why the store could not be opened to write.
  bool unavailable = !changed && changed.error().code == ErrorCode::unavailable;
  return unavailable ? beside_->refused : changed;
}

Status StoreFacets::declare(const Facet& facet) {
  if (beside_) return outcome(embedded::declare_beside(beside_->directory(), facet));
  return wait(open_.store->facets()->declare(facet));
}

Status StoreFacets::drop(const std::string& name) {
  if (beside_) return outcome(embedded::drop_beside(beside_->directory(), name));
  return wait(open_.store->facets()->drop(name));
}

Result<std::vector<FacetStatus>> StoreFacets::list() const {
  return beside_ ? facets_of(beside_->address) : wait(read_facets(*open_.store));
}

Result<std::vector<FacetStatus>> facets_of(const std::string& address, const std::string& pages) {
  TRY(auto index, index_of(address, pages, Access::read));
  TRY(auto open, open_store(address, Access::read, index.get()));
  return wait(read_facets(*open.store));
}

}  // namespace quire
