#include "app/facets.h"

#include "app/followed_table.h"
#include "base/try.h"
#include "loop/loop.h"
#include "store/embedded/facets.h"
#include "store/ports.h"

namespace quire {
namespace {

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
  TRY(auto index, index_of(address, pages, Access::write));
  TRY(auto store, open_to_change(address, index.get()));
  if (store.beside) return StoreFacets(nullptr, std::move(store), false);
  if (!store.open.store->facets()) return no_facets();
  bool embedded = address.starts_with(embedded_scheme);
  return StoreFacets(std::move(index), std::move(store), !embedded);
}

Status StoreFacets::declare(const Facet& facet) {
  if (auto& beside = store_.beside)
    return beside->outcome(embedded::declare_beside(beside->directory(), facet));
  return wait(store_.open.store->facets()->declare(facet));
}

Status StoreFacets::drop(const std::string& name) {
  if (auto& beside = store_.beside)
    return beside->outcome(embedded::drop_beside(beside->directory(), name));
  return wait(store_.open.store->facets()->drop(name));
}

Result<std::vector<FacetStatus>> StoreFacets::list() const {
  return store_.beside ? facets_of(store_.beside->address) : wait(read_facets(*store_.open.store));
}

Result<std::vector<FacetStatus>> facets_of(const std::string& address, const std::string& pages) {
  TRY(auto index, index_of(address, pages, Access::read));
  TRY(auto open, open_store(address, Access::read, index.get()));
  return wait(read_facets(*open.store));
}

}  // namespace quire
