// What a feed has besides the newest comments of a product: those that came on its pages late, or
// were changed.
#pragma once

#include "loop/awaitable.h"
#include "quire/page.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire {

// Adds to a page of `query` the comments of its filter that it has not, and that were changed last;
// of the page's own state. Empty, where the store does not keep that. unavailable.
Awaitable<Result<ChangeTimes>> add_revised(FoundPage& page, const Query& query);

}  // namespace quire
