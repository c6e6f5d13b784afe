#include "store/embedded/upgrade.h"

#include <algorithm>
#include <iterator>

#include "store/embedded/format.h"

namespace quire::embedded {
namespace {

struct Step {
  std::uint32_t from;
  void (*run)(MDB_txn* from, lmdb::NewFile& to, const lmdb::Progress& progress);
};
constexpr Step steps[] = {{2, upgrade_from_2}};
static_assert(std::rbegin(steps)->from + 1 == format_version);

const Step* step_from(std::uint32_t format) {
  auto step = std::find_if(std::begin(steps), std::end(steps),
                           [&](const Step& each) { return each.from == format; });
  return step == std::end(steps) ? nullptr : step;
}

}  // namespace

bool can_upgrade(std::uint32_t format) {
  return step_from(format) != nullptr;
}

void upgrade(std::uint32_t format, MDB_txn* from, lmdb::NewFile& to,
             const lmdb::Progress& progress) {
  step_from(format)->run(from, to, progress);
}

}  // namespace quire::embedded
