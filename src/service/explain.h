// Says how a page was found.
#pragma once

#include "service/comments.h"
#include "service/gather.h"

namespace quire {

Explanation explain(View& view, const Plan& plan, const std::optional<Ulid>& after,
                    const Gathered& gathered);

}  // namespace quire
