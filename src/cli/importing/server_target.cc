#include "cli/importing/server_target.h"

#include "base/try.h"

#include <utility>

namespace quire::cli {

Result<std::unique_ptr<ServerTarget>> ServerTarget::to(const ServerImportOptions& options,
                                                       Rejects& rejects) {
  std::unique_ptr<ServerTarget> target(new ServerTarget(rejects));
  TRY(target->import_,
      ServerImport::open(options, [target = target.get()](std::uint64_t number, std::string_view,
                                                          std::string_view reason) {
        target->refuse(number, reason);
      }));
  return target;
}

void ServerTarget::add(std::string_view json, const Origin& origin) {
  kept_.emplace_back(origin);
  auto number = first_ + kept_.size() - 1;
  if (auto added = import_->add(json, number); !added) {
    refuse(number, added.error().message);
    kept_.pop_back();  // it is in no part
  }
  for (; kept_.size() > max_kept; ++first_) kept_.pop_front();
}

void ServerTarget::refuse(std::uint64_t number, std::string_view reason) {
  rejects_.add(kept_.at(number - first_).origin(), reason);
}

std::vector<Tally> ServerTarget::tally() const {
  return tally_of(import_->counts());
}

}  // namespace quire::cli
