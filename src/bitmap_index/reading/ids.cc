#include "bitmap_index/reading/ids.h"

#include <algorithm>
#include <cstring>

#include "bitmap_index/keys.h"

namespace quire::bitmap_index {

BlockIds::BlockIds(Reader& reader, const Ulid& start)
    : cursor_(reader.txn(), reader.databases().ids) {
  if (!cursor_.seek(ids_key(reader.product()), start.view(), MDB_GET_BOTH_RANGE))
    contradict("a block has no ids");
  const char* first = cursor_.value().data();
  // Gives the whole page, from its beginning. Nothing changes where the product has a single id.
  cursor_.move(MDB_GET_MULTIPLE);
  read_page();
  if (first < page_.data() || first >= page_.data() + page_.size())
    contradict("an id is on another page");
  before_ = static_cast<std::size_t>(first - page_.data()) / Ulid::size;
}

void BlockIds::read_page() {
  page_ = cursor_.value();
  if (page_.empty() || page_.size() % Ulid::size != 0) contradict("an id has another size");
}

bool BlockIds::next_page() {
  if (!cursor_.move(MDB_NEXT_MULTIPLE)) return false;
  passed_ += page_.size() / Ulid::size - before_;
  before_ = 0;
  read_page();
  return true;
}

Ulid BlockIds::in_page(std::size_t index) const {
  Ulid id;
  std::memcpy(id.bytes.data(), page_.data() + index * Ulid::size, Ulid::size);
  return id;
}

Ulid BlockIds::at(std::size_t position) {
  while (position - passed_ + before_ >= page_.size() / Ulid::size) {
    if (!next_page()) contradict("a block has fewer ids than its count");
  }
  return in_page(position - passed_ + before_);
}

std::size_t BlockIds::lower_bound(const Ulid& id, std::size_t ids) {
  std::size_t in_page = page_.size() / Ulid::size;
  while (this->in_page(in_page - 1) < id && passed_ + in_page - before_ < ids) {
    if (!next_page()) contradict("a block has fewer ids than its count");
    in_page = page_.size() / Ulid::size;
  }
  std::size_t from = before_;
  for (auto width = in_page - before_; width > 0;) {
    auto half = width / 2;
    bool below = this->in_page(from + half) < id;
    from += below ? half + 1 : 0;
    width = below ? width - half - 1 : half;
  }
  return std::min(passed_ + from - before_, ids);
}

}  // namespace quire::bitmap_index
