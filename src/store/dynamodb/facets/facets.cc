#include "store/dynamodb/facets/facets.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {
namespace {

Error damaged() {
  return {ErrorCode::damaged,
          "The item of the table whose PK and SK are FACETS is damaged: only language and rating "
          "are known. Delete the item, declare the facets again (quire facet add), and run quire "
          "backfill."};
}

Error contended() {
  return {ErrorCode::unavailable, "Others change the table's facets. Try again in a moment."};
}

Status add(TableFacets& facets, Facet facet) {
  TRY_DONE(check_declaration(facets.schema, facet));
  auto all = facets.schema.declared();
  if (facets.next == no_facet)
    return Error{ErrorCode::invalid_parameter,
                 "The table had 65,533 facets, and can have no more."};
  all.push_back({facets.next++, {std::move(facet)}});
  facets.schema = Schema(std::move(all));
  auto item = facets_item(facets);
  if (text_of(item, "facets")->size() <= max_facets_bytes) return Done{};
  return Error{ErrorCode::invalid_parameter,
               "The facets of a table take at most 300,000 bytes together. List fewer values.",
               "values"};
}

Status remove(TableFacets& facets, const std::string& name) {
  auto all = facets.schema.declared();
  auto gone = std::erase_if(all, [&](const auto& each) { return each.facet().name == name; });
  if (gone == 0) return Error{ErrorCode::not_found, "There is no facet " + name + "."};
  facets.schema = Schema(std::move(all));
  return Done{};
}

}  // namespace

Facets::Shared Facets::fresh() const {
  std::lock_guard lock(mutex_);
  return client_.now() < fresh_until_ ? known_ : nullptr;
}

void Facets::know(Shared schema) {
  std::lock_guard lock(mutex_);
  known_ = std::move(schema);
  fresh_until_ = client_.now() + kept;
}

// One request at a time asks; the others take what was known before, or wait for it. A damaged item
// is not read again for each request.
Awaitable<Result<Known<Schema>>> Facets::get() {
  if (auto schema = fresh()) co_return Known<Schema>{schema};
  if (!known_ && client_.now() < damaged_until_) co_return damaged();
  bool first = !asked_.asking();
  if (known_ && !first) co_return Known<Schema>{known_};
  std::function<Awaitable<Result<Known<Schema>>>()> fetches = [this] { return fetch(); };
  auto asked = co_await asked_.get(std::move(fetches));
  if (!asked && known_) co_return Known<Schema>{known_};
  if (asked && !first) asked->consumed = 0;
  co_return asked;
}

Awaitable<Result<Known<Schema>>> Facets::fetch() {
  double consumed = 0;
  CO_TRY(auto facets, co_await read(consumed));
  know(std::make_shared<const Schema>(std::move(facets.schema)));
  co_return Known<Schema>{known_, consumed};
}

Awaitable<Result<TableFacets>> Facets::read(double& consumed) {
  CO_TRY(auto there, co_await client_.get(facets_key()));
  consumed = there.consumed;
  if (!there.item) co_return TableFacets{};
  auto facets = read_facets(*there.item);
  if (!facets) {
    damaged_until_ = client_.now() + kept;
    co_return damaged();
  }
  co_return std::move(*facets);
}

// False: another process was faster. A put that was applied though its answer was lost is refused
// when it is repeated: the caller then finds the facet there.
Awaitable<Result<bool>> Facets::put(TableFacets facets) {
  auto condition = has_version(facets.version);
  ++facets.version;
  auto schema = std::make_shared<const Schema>(facets.schema);  // what is put has not failed
  auto made = co_await client_.make(
      put_item(client_.table(), facets_item(facets), condition, Repeat::safe));
  if (made && *made) know(std::move(schema));
  co_return made;
}

Awaitable<Status> Facets::declare(Facet facet) {
  for (int round = 0; round < max_rounds; ++round) {
    double consumed = 0;
    CO_TRY(auto facets, co_await read(consumed));
    const auto* there = facets.schema.find(facet.name);
    if (there && there->facet() == facet) {  // by an earlier round, or another process
      know(std::make_shared<const Schema>(std::move(facets.schema)));
      co_return Done{};
    }
    CO_TRY_DONE(add(facets, facet));
    CO_TRY(auto made, co_await put(std::move(facets)));
    if (made) co_return Done{};
    co_await client_.pause(round);
  }
  co_return contended();
}

Awaitable<Status> Facets::drop(std::string name) {
  for (int round = 0; round < max_rounds; ++round) {
    double consumed = 0;
    CO_TRY(auto facets, co_await read(consumed));
    auto removed = remove(facets, name);
    if (!removed && round > 0) {  // an earlier round, or another process, dropped it
      know(std::make_shared<const Schema>(std::move(facets.schema)));
      co_return Done{};
    }
    CO_TRY_DONE(std::move(removed));
    CO_TRY(auto made, co_await put(std::move(facets)));
    if (made) co_return Done{};
    co_await client_.pause(round);
  }
  co_return contended();
}

}  // namespace quire::dynamodb
