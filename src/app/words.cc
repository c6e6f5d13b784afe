#include "app/words.h"

#include "base/try.h"
#include "loop/loop.h"
#include "store/embedded/words.h"

namespace quire {

Result<StoreWords> StoreWords::open(const std::string& address) {
  if (!address.starts_with(embedded_scheme)) return no_words();
  TRY(auto store, open_to_change(address));
  return StoreWords(std::move(store));
}

Status StoreWords::add() {
  if (auto& beside = store_.beside)
    return beside->outcome(embedded::add_words_beside(beside->directory()));
  return wait(store_.open.store->words()->add_words());
}

Status StoreWords::drop() {
  if (auto& beside = store_.beside)
    return beside->outcome(embedded::drop_words_beside(beside->directory()));
  return wait(store_.open.store->words()->drop_words());
}

Result<std::optional<WordStatus>> StoreWords::status() const {
  if (store_.beside) return words_of(store_.beside->address);
  return wait(store_.open.store->words()->word_status());
}

std::optional<Error> StoreWords::hindrance() const {
  return store_.beside ? std::nullopt : store_.open.store->words()->hindrance();
}

Result<std::optional<WordStatus>> words_of(const std::string& address) {
  if (!address.starts_with(embedded_scheme)) return no_words();
  TRY(auto open, open_store(address, Access::read));
  return wait(open.store->words()->word_status());
}

}  // namespace quire
