#include "store/embedded/store.h"

#include "store/embedded/view.h"

namespace quire::embedded {
namespace {

// Microseconds, measured by `bench/run micro`. The comments of `all` lie side by side; an entry of
// any other list costs a look-up of its comment. Only the proportions matter.
constexpr CostModel measured{.per_list = 0.35, .per_entry = {0.03, 0.08, 0.08, 0.08}, .step = 0};

}  // namespace

Result<std::unique_ptr<LmdbStore>> LmdbStore::open(const std::string& directory, Access access,
                                                   const Upgrading& upgrading) {
  auto databases = open_databases(directory, access, upgrading);
  if (!databases) return databases.error();
  return std::unique_ptr<LmdbStore>(new LmdbStore(std::move(*databases), access));
}

LmdbStore::LmdbStore(std::unique_ptr<Databases> databases, Access access)
    : databases_(std::move(databases)) {
  if (access == Access::write) writer_.emplace(*databases_);
}

CostModel LmdbStore::costs() const {
  return measured;
}

std::unique_ptr<View> LmdbStore::view() {
  return std::make_unique<LmdbView>(*databases_);
}

std::vector<Figure> LmdbStore::figures() const {
  return {{"quire_store_damaged_total",
           "Damaged comments and rows met while reading, and left out; quire verify names them",
           static_cast<double>(databases_->damage.met())}};
}

Awaitable<Status> LmdbStore::ready() {
  LmdbView view(*databases_);
  auto products = co_await view.products("", 1);
  if (!products) co_return products.error();
  co_return Done{};
}

template <class T, class Work>
Awaitable<Result<T>> LmdbStore::write(Work work) {
  if (!writer_) {
    co_return Error{ErrorCode::unavailable, "The store was opened for reading only."};
  }
  co_return co_await writer_->run<T>(std::move(work));
}

Awaitable<Result<std::string>> LmdbStore::insert(Comment comment, std::optional<RequestKey> once) {
  return write<std::string>(
      [comment = std::move(comment), once](Edit& edit) { return edit.insert(comment, once); });
}

Awaitable<Result<Edited>> LmdbStore::update(Ulid id, Patch patch, Condition condition) {
  return write<Edited>([id, patch = std::move(patch), condition = std::move(condition)](
                           Edit& edit) { return edit.update(id, patch, condition); });
}

Awaitable<Result<std::string>> LmdbStore::remove(Ulid id, Condition condition) {
  return write<std::string>(
      [id, condition = std::move(condition)](Edit& edit) { return edit.remove(id, condition); });
}

Awaitable<Result<std::size_t>> LmdbStore::insert_many(std::vector<Comment> comments) {
  return write<std::size_t>(
      [comments = std::move(comments)](Edit& edit) mutable { return edit.insert_many(comments); });
}

Awaitable<Result<Edit::Rebuilt>> LmdbStore::rebuild() {
  return write<Edit::Rebuilt>([](Edit& edit) -> Result<Edit::Rebuilt> { return edit.rebuild(); });
}

}  // namespace quire::embedded
