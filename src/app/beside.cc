#include "app/beside.h"

#include <utility>

namespace quire {

Status Beside::outcome(Status changed) const {
  bool unavailable = !changed && changed.error().code == ErrorCode::unavailable;
  return unavailable ? refused : changed;
}

Result<ChangedStore> open_to_change(const std::string& address, PageIndex* index) {
  auto open = open_store(address, Access::write, index);
  if (open) return ChangedStore{std::move(*open), {}};
  bool embedded = address.starts_with(embedded_scheme);
  if (!embedded || !open_store(address, Access::read)) return open.error();
  return ChangedStore{{}, Beside{address, open.error()}};
}

}  // namespace quire
