#include "store/embedded/beside.h"

#include <functional>

#include "store/embedded/edit.h"

namespace quire::embedded {
namespace {

Status change(const std::string& directory, const std::function<Status(Edit&)>& work) try {
  auto databases = open_beside(directory);
  if (!databases) return databases.error();
  lmdb::WriteTransaction txn(*(*databases)->environment);
  Edit edit(**databases, txn);
  auto status = work(edit);
  if (!status) return status;
  edit.finish();
  txn.commit();
  return Done{};
} catch (const lmdb::Failure& failure) {
  return explain(failure);
} catch (const std::runtime_error& damaged) {
  return damaged_store(directory, damaged.what());
}

}  // namespace

Status declare_beside(const std::string& directory, const Facet& facet) {
  return change(directory, [&](Edit& edit) { return edit.declare(facet); });
}

Status drop_beside(const std::string& directory, const std::string& name) {
  return change(directory, [&](Edit& edit) { return edit.drop(name); });
}

}  // namespace quire::embedded
