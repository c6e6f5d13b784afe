#include "page_index/redis/keys.h"

#include "base/percent.h"
#include "page_index/redis/client/slots.h"

namespace quire::redis {

unsigned bucket_of(std::string_view product) {
  return crc16(product) % bucket_count;
}

std::array<std::string, rating_count> Bucket::lists(std::string_view name) const {
  std::array<std::string, rating_count> keys;
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = prefix_ + std::string(name) + "/" + std::to_string(i + 1);
  return keys;
}

// A percent-encoded name has no slash, so no name has the keys of another's bucket.
Keys::Keys(std::string_view name) : prefix_("quire-pages:{" + percent_encode(name)) {}

Bucket Keys::bucket(unsigned number) const {
  return Bucket(prefix_ + "/" + std::to_string(number) + "}:");
}

}  // namespace quire::redis
