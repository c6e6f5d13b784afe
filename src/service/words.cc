#include "service/comments.h"
#include "store/views.h"
#include "word_index/state.h"

namespace quire {

bool has_words(View& view) {
  auto* bitmaps = view.bitmap_view();
  if (!bitmaps) return false;
  auto state = bitmaps->words();
  return state && *state == word_index::State::ready;
}

}  // namespace quire
