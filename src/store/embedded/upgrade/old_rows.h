// Rows of formats 2 and 3. Format: docs/formats/store.md, "Versions".
#pragma once

#include <optional>
#include <string_view>

#include "quire/comment.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

// Absent: the bytes are damaged.
std::optional<Comment> decode_old_document(std::string_view bytes);
std::optional<ProductRow> decode_old_product(std::string_view bytes);

}  // namespace quire::embedded
