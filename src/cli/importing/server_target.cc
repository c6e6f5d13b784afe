#include "cli/importing/server_target.h"

#include <utility>

#include "base/try.h"
#include "product/facts.h"

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
  const auto* record = std::get_if<const Record*>(&origin.row);
  const auto* text = std::get_if<std::string_view>(&origin.row);
  kept_.push_back({std::string(origin.file), origin.line, text != nullptr,
                   std::string(text ? *text : ""), record ? **record : Record()});
  auto number = first_ + kept_.size() - 1;
  if (auto added = import_->add(json, number); !added) {
    refuse(number, added.error().message);
    kept_.pop_back();  // it is in no part
  }
  for (; kept_.size() > max_kept; ++first_) kept_.pop_front();
}

void ServerTarget::refuse(std::uint64_t number, std::string_view reason) {
  const auto& kept = kept_.at(number - first_);
  Origin origin{.file = kept.file, .line = kept.line};
  if (kept.own)
    origin.row = std::string_view(kept.text);
  else
    origin.row = &kept.record;
  rejects_.add(origin, reason);
}

std::vector<Tally> ServerTarget::tally() const {
  return tally_of(import_->counts());
}

void ServerFactsTarget::add(std::string_view json, const Origin& origin) {
  auto row = parse_facts_row(json);
  if (!row) return rejects_.add(origin, row.error().message);
  auto answer = shop_->put_product(row->product, std::move(row->facts));
  if (answer) return void(++told_);
  bool of_row = answer.error().code == ErrorCode::invalid_parameter ||
                answer.error().code == ErrorCode::forbidden;  // as by the token's prefix
  if (of_row) return rejects_.add(origin, answer.error().message);
  failed_ = answer.error();
}

Status ServerFactsTarget::finish() {
  if (failed_) return *failed_;
  return Done{};
}

}  // namespace quire::cli
