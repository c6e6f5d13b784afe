// The bitmap index of products, as views of stores that keep one show it.
#pragma once

#include <optional>
#include <string_view>

#include "bitmap_index/reading/source.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire {

class BitmapView {
 public:
  virtual ~BitmapView() = default;
  // The bitmap index of a product, of the same state as the view; it lives as long as the view.
  // Absent: the store keeps none. unavailable: its row is damaged.
  virtual Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) = 0;
};

// Of a view that may show no bitmap index.
inline Result<std::optional<bitmap_index::Source>> bitmaps_of(View& view,
                                                              std::string_view product) {
  auto* bitmaps = view.bitmap_view();
  return bitmaps ? bitmaps->bitmaps(product) : std::optional<bitmap_index::Source>();
}

}  // namespace quire
