#include "app/words.h"

#include "app/open.h"
#include "base/try.h"
#include "loop/loop.h"
#include "store/embedded/words.h"
#include "word_index/state.h"

namespace quire {
namespace {

Error no_index_beside() {
  return {
      ErrorCode::forbidden,
      "A table keeps no index of words. A page index beside it can have one: --pages lmdb:DIR."};
}

bool keeps_words(const std::string& address) {
  return address.starts_with(embedded_scheme);
}

// The page index beside a table. forbidden: there is none.
Result<std::unique_ptr<PageIndex>> index_beside(const std::string& address,
                                                const std::string& pages, Access access) {
  TRY(auto index, open_pages(pages, address, access));
  if (!index) return no_index_beside();
  return index;
}

Result<std::optional<WordStatus>> status_of(PageIndex& index) {
  TRY(auto words, wait(index.words()));
  if (words.state == word_index::State::absent) return std::optional<WordStatus>();
  bool ready = words.state == word_index::State::ready;
  return std::optional(WordStatus{ready ? FacetStatus::State::ready : FacetStatus::State::building,
                                  ready ? 1.0 : 0.0, words.bytes});
}

}  // namespace

Result<StoreWords> StoreWords::open(const std::string& address, const std::string& pages) {
  if (!keeps_words(address)) {
    TRY(auto index, index_beside(address, pages, Access::write));
    return StoreWords(std::move(index), {});
  }
  TRY(auto store, open_to_change(address));
  return StoreWords(nullptr, std::move(store));
}

Status StoreWords::add() {
  if (index_) return wait(index_->want_words());
  if (auto& beside = store_.beside)
    return beside->outcome(embedded::add_words_beside(beside->directory()));
  return wait(store_.open.store->words()->add_words());
}

Status StoreWords::drop() {
  if (index_) return wait(index_->drop_words());
  if (auto& beside = store_.beside)
    return beside->outcome(embedded::drop_words_beside(beside->directory()));
  return wait(store_.open.store->words()->drop_words());
}

Result<std::optional<WordStatus>> StoreWords::status() const {
  if (index_) return status_of(*index_);
  if (store_.beside) return words_of(store_.beside->address, {});
  return wait(store_.open.store->words()->word_status());
}

std::optional<Error> StoreWords::hindrance() const {
  if (index_ || store_.beside) return {};
  return store_.open.store->words()->hindrance();
}

Result<std::optional<WordStatus>> words_of(const std::string& address, const std::string& pages) {
  if (!keeps_words(address)) {
    TRY(auto index, index_beside(address, pages, Access::read));
    return status_of(*index);
  }
  TRY(auto open, open_store(address, Access::read));
  return wait(open.store->words()->word_status());
}

}  // namespace quire
