// The library's facade over the service: waits for answers, and copies them into values.
#include "quire/quire.h"

#include <stdexcept>
#include <utility>

#include "app/store_desk.h"
#include "base/try.h"
#include "desk/desk.h"
#include "loop/loop.h"
#include "model/counts.h"
#include "model/document.h"

namespace quire {
namespace {

Comment must_decode(std::string_view document) {
  auto comment = decode_document(document);
  if (!comment) throw std::runtime_error("a comment in the store is damaged");
  return std::move(*comment);
}

}  // namespace

// A program that embeds the library is a writer as others are, who may do all that needs no
// customer.
struct Quire::Parts {
  static Result<Quire> open(const std::string& store, const std::string& pages, Access access,
                            const std::string& audit_log) {
    AppOptions app{.store = store, .pages = pages, .access = access};
    TRY(auto opened,
        StoreDesk::open(
            {.app = std::move(app), .writer = desk::Writer::program(), .audit_log = audit_log}));
    return Quire(std::make_unique<Parts>(Parts{std::move(opened)}));
  }

  Comments& comments() const { return store->app().comments(); }
  desk::Desk& desk() const { return store->desk(); }
  desk::Permit permit(desk::Deed deed, const std::string& product = {}) const {
    return store->permit(deed, product);
  }

  std::unique_ptr<StoreDesk> store;
};

Quire::Quire(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Quire::Quire(Quire&&) noexcept = default;
Quire::~Quire() = default;

Result<Quire> Quire::open(const std::string& store, const std::string& pages,
                          const std::string& audit_log) {
  return Parts::open(store, pages, Access::write, audit_log);
}

Result<Quire> Quire::open_to_read(const std::string& store, const std::string& pages) {
  return Parts::open(store, pages, Access::read, {});
}

Result<Page> Quire::page(const Query& query) const {
  TRY(auto found, wait(parts_->comments().page(query)));
  Page page{.comments = {},
            .total = found.total,
            .number = found.number ? found.number->number : 0,
            .count = found.number ? found.number->count : 0,
            .numbers_missing = found.numbers_missing,
            .next = found.next,
            .previous = found.previous,
            .facets = std::move(found.facets),
            .facets_missing = std::move(found.facets_missing),
            .plan = {}};
  for (const auto& row : found.rows) page.comments.push_back(must_decode(row.document));
  if (found.explanation) page.plan = found.explanation->summary;
  return page;
}

Result<std::uint64_t> Quire::page_of(const Ulid& id, const Query& query) const {
  TRY(auto found, wait(parts_->comments().page_of(id, query)));
  return found.number;
}

Result<ProductStatistics> Quire::statistics(const Query& query) const {
  TRY(auto found, wait(parts_->comments().statistics(query)));
  auto comment = [](std::string_view document) {
    return document.empty() ? std::nullopt : std::optional(must_decode(document));
  };
  return ProductStatistics{
      found.ratings,         average(found.ratings),         std::move(found.languages),
      comment(found.latest), comment(found.latest_positive), comment(found.latest_critical),
      found.as_of_ms};
}

Result<std::vector<ProductRating>> Quire::ratings(const std::vector<std::string>& products) const {
  TRY(auto found, wait(parts_->comments().totals_of(products)));
  std::vector<ProductRating> out;
  for (auto& [product, comments, ratings] : found.products)
    out.push_back({std::move(product), ratings, average(ratings), adjusted_average(ratings)});
  return out;
}

Result<std::vector<ProductRating>> Quire::leaderboard(Leaders by, const std::string& language,
                                                      std::size_t limit) const {
  TRY(auto found, wait(parts_->comments().leaderboard(by, language, limit)));
  std::vector<ProductRating> leaders;
  for (auto& [product, ratings, facts] : found.leaders) {
    leaders.push_back({std::move(product), ratings, average(ratings), adjusted_average(ratings)});
  }
  return leaders;
}

Result<std::vector<FacetStatus>> Quire::facets() const {
  return wait(parts_->comments().facets());
}

Status Quire::declare(const Facet& facet) {
  return wait(parts_->comments().declare(facet));
}

Status Quire::drop(const std::string& name) {
  return wait(parts_->comments().drop(name));
}

Status Quire::backup(const std::string& directory) const {
  auto lacks = parts_->store->app().backup(directory);
  if (!lacks) return lacks.error();
  if (lacks->empty()) return Done{};
  return Error{ErrorCode::damaged,
               "The copy lacks " + *lacks +
                   ": pages of the store are damaged. Run quire verify on the store."};
}

Result<Comment> Quire::get(const Ulid& id) const {
  TRY(auto found, wait(parts_->comments().get(id)));
  return must_decode(found.document);
}

Result<Comment> Quire::post(const Draft& draft, const std::optional<std::string>& key) {
  auto permit = parts_->permit(desk::Deed::post, draft.product);
  TRY(auto posted, wait(parts_->desk().post(permit, draft, key)));
  return std::move(posted.comment);
}

Result<Comment> Quire::patch(const Ulid& id, const Patch& patch) {
  TRY(auto edited, wait(parts_->desk().edit(parts_->permit(desk::Deed::edit), id, patch, {})));
  return must_decode(edited.after);
}

Status Quire::remove(const Ulid& id) {
  TRY_DONE(wait(parts_->desk().remove(parts_->permit(desk::Deed::remove), id, {})));
  return Done{};
}

}  // namespace quire
