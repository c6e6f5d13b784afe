// Says how a page was found.
#pragma once

#include "service/comments.h"
#include "service/start.h"

namespace quire {

Explanation explain(View& view, const std::vector<Section>& sections, const Start& start,
                    const Found& found);

}  // namespace quire
