// What a store is opened for.
#pragma once

namespace quire {

enum class Access { read, write };

}  // namespace quire
