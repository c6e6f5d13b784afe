#include "app/words.h"

#include "base/try.h"
#include "loop/loop.h"
#include "store/embedded/words.h"

namespace quire {
namespace {

constexpr std::string_view lmdb_scheme = "lmdb:";

}  // namespace

Result<StoreWords> StoreWords::open(const std::string& address) {
  if (!address.starts_with(lmdb_scheme)) return no_words();
  auto open = open_store(address, Access::write);
  if (open) return StoreWords(address, std::move(*open), {});
  if (!open_store(address, Access::read)) return open.error();
  return StoreWords(address, {}, open.error());
}

std::string StoreWords::directory() const {
  return address_.substr(lmdb_scheme.size());
}

// What makes both ways unavailable is why the store could not be opened to write.
Status StoreWords::outcome(Status changed) const {
  bool unavailable = !changed && changed.error().code == ErrorCode::unavailable;
  return unavailable ? *refused_ : changed;
}

Status StoreWords::add() {
  if (refused_) return outcome(embedded::add_words_beside(directory()));
  return wait(open_.store->words()->add_words());
}

Status StoreWords::drop() {
  if (refused_) return outcome(embedded::drop_words_beside(directory()));
  return wait(open_.store->words()->drop_words());
}

Result<std::optional<WordStatus>> StoreWords::status() const {
  return refused_ ? words_of(address_) : wait(open_.store->words()->word_status());
}

std::optional<Error> StoreWords::hindrance() const {
  return refused_ ? std::nullopt : open_.store->words()->hindrance();
}

Result<std::optional<WordStatus>> words_of(const std::string& address) {
  if (!address.starts_with(lmdb_scheme)) return no_words();
  TRY(auto open, open_store(address, Access::read));
  return wait(open.store->words()->word_status());
}

}  // namespace quire
