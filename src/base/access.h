// The purpose for which a store or an index is opened.
#pragma once

namespace quire {

enum class Access { read, write };

}  // namespace quire
