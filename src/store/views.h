// What the views of some stores show besides: the bitmap index of products, or lists.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.h"
#include "bitmap_index/reading/reader.h"
#include "model/entry.h"
#include "quire/result.h"
#include "store/store.h"
#include "word_index/state.h"

namespace quire {

class BitmapView {
 public:
  virtual ~BitmapView() = default;
  // The bitmap index of a product, of the same state as the view; it lives as long as the view.
  // Absent: the store keeps none. damaged: its row is.
  virtual Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) = 0;
  // How the index of words of this view's state stands. A filter has words where it is ready alone.
  // damaged: its row is.
  virtual Result<word_index::State> words() { return word_index::State::absent; }
};

// The bitmap index of a product. Absent: the view shows none.
inline Result<std::optional<bitmap_index::Source>> bitmaps_of(View& view,
                                                              std::string_view product) {
  auto* bitmaps = view.bitmap_view();
  return bitmaps ? bitmaps->bitmaps(product) : std::optional<bitmap_index::Source>();
}

// Views of stores that keep lists: all comments of a product that share some values, in id order.
class ListView : public View {
 public:
  ListView* lists() override { return this; }

  // Reads one slice per range, all in one round. `documents`: entries must carry their documents.
  virtual Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                                     std::span<const Range> ranges,
                                                     bool documents) = 0;
  // The start key of a read of a part of `list` after `after`: JSON in the
  // backend's own terms.
  virtual std::string start_key(std::string_view product, const Cell& list, const Ulid& after,
                                std::size_t part) = 0;

  // The list of all comments of the product, which must lie in one part.
  Awaitable<Result<Slice>> comments(std::string_view product, Order order,
                                    std::optional<Ulid> after, std::size_t limit) override {
    Range all{Cell{}, after, limit};
    CO_TRY(auto slices, co_await read(product, order, {&all, 1}, true));
    co_return std::move(slices.front());
  }
};

}  // namespace quire
