#include "page_index/redis/keys.h"

#include "base/percent.h"
#include "model/index.h"

namespace quire::redis {

// A cluster keeps all keys with the same text in braces on one node, as a script requires.
Keys::Keys(std::string_view name) : prefix_("quire:{" + percent_encode(name) + "}:") {}

std::string Keys::list(std::string_view product, const Cell& list) const {
  return prefix_ + list_key(product, list);
}

}  // namespace quire::redis
