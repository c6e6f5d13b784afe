// What a feed has besides the newest comments of a product: those that came on its pages late, or
// were changed.
#pragma once

#include <cstdint>
#include <map>

#include "loop/awaitable.h"
#include "quire/page.h"
#include "quire/result.h"
#include "quire/ulid.h"
#include "service/comments.h"

namespace quire {

// When comments were published, edited or replied to last, in ms since 1970.
using ChangeTimes = std::map<Ulid, std::uint64_t>;

// Adds to a page of `query` the comments of its filter that it has not, and that were changed last;
// of the page's own state. Empty, where the store does not keep that. unavailable.
Awaitable<Result<ChangeTimes>> add_revised(FoundPage& page, const Query& query);

}  // namespace quire
