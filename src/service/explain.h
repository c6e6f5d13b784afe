// Says how a page was found.
#pragma once

#include "service/comments.h"
#include "service/sections.h"

namespace quire {

Explanation explain(View& view, const std::vector<Section>& sections, const Found& found);

}  // namespace quire
