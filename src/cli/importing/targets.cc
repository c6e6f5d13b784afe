#include "cli/importing/targets.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/try.h"
#include "cli/terminal/terminal.h"
#include "loop/loop.h"

namespace quire::cli {
namespace {

constexpr std::size_t facts_at_once = 10'000;  // of one transaction

Awaitable<Result<Schema>> schema_of(Store& store) {
  auto view = store.view();
  CO_TRY(auto schema, co_await view->schema());
  co_return *schema;
}

// Reads the key with the first row that needs it: other imports make none.
Importer::HashOf hash_by_key(const OpenStore& open, const std::string& file) {
  auto key = std::make_shared<std::optional<Result<identity::CustomerKey>>>();
  return [&open, file, key](std::string_view customer) -> Result<CustomerHash> {
    if (!*key) key->emplace(customer_key_of(open, file, Access::write));
    if (!**key) return (*key)->error();
    return (*key)->value().hash(customer);
  };
}

Importer::SameKey same_key(const OpenStore& open, const ImportedCustomers& customers) {
  if (customers.anew) return {};
  return [&open, file = customers.key_file](std::string_view check) {
    return has_customer_key(open, file, check);
  };
}

void name_differing(const Imported& counts) {
  for (const auto& id : counts.named)
    fmt::print(stderr, "{} differs from the comment that is there\n", id.text());
  if (counts.differing > counts.named.size()) fmt::print(stderr, "… and more\n");
  if (counts.differing > 0) fmt::print(stderr, "--update takes what the file has of them\n");
}

}  // namespace

Result<std::unique_ptr<StoreTarget>> StoreTarget::to(StoreDesk& store, ImportTerms terms,
                                                     const ImportedCustomers& customers,
                                                     Rejects& rejects) {
  TRY(auto record, store.desk().import(store.permit(desk::Deed::import)));
  const auto& open = store.app().store();
  TRY(auto schema, wait(schema_of(*open.store)));
  return std::unique_ptr<StoreTarget>(new StoreTarget(open, std::move(schema), std::move(terms),
                                                      customers, rejects, std::move(record)));
}

StoreTarget::StoreTarget(const OpenStore& open, Schema schema, ImportTerms terms,
                         const ImportedCustomers& customers, Rejects& rejects, Recording record)
    : open_(open),
      rejects_(rejects),
      record_(std::move(record)),
      languages_(*open.store),
      importer_(
          [&open, terms = std::move(terms)](std::vector<ImportRow> batch) {
            return wait(open.store->import_rows(std::move(batch), terms));
          },
          open.store->batch(), system_ms(), std::move(schema), open.store->sorting_directory(),
          hash_by_key(open, customers.key_file), same_key(open, customers),
          [this](const Comment& comment) { return languages_.check(comment); }) {}

void StoreTarget::add(std::string_view json, const Origin& origin) {
  if (auto added = importer_.add(json); !added) rejects_.add(origin, added.error().message);
}

StoreTarget::~StoreTarget() {
  record_(desk::ImportCounts::of(importer_.counts(), rejects_.count()));
}

Status StoreTarget::finish() {
  Progress progress("storing the sorted rows");
  auto finished =
      importer_.finish([&](double part) { progress.show(part, importer_.counts().rows()); });
  name_differing(importer_.counts());
  if (!finished) return finished;
  TRY_DONE(keep_reports(*open_.store, std::exchange(importer_.reports(), {})));
  if (importer_.removed().empty()) return Done{};
  return wait(open_.store->keep_removed(std::move(importer_.removed())));
}

std::vector<Tally> StoreTarget::tally() const {
  return tally_of(importer_.counts());
}

void FactsTarget::add(std::string_view json, const Origin& origin) {
  auto row = parse_facts_row(json);
  if (!row) return rejects_.add(origin, row.error().message);
  batch_.push_back(std::move(*row));
  if (batch_.size() == facts_at_once) put();
}

void FactsTarget::put() {
  auto size = batch_.size();
  auto permit = store_.permit(desk::Deed::tell);
  auto fresh = wait(store_.desk().put_facts(permit, std::exchange(batch_, {})));
  if (!fresh) return void(failed_ = fresh.error());
  added_ += *fresh;
  replaced_ += size - *fresh;
}

Status FactsTarget::finish() {
  if (!failed_ && !batch_.empty()) put();
  if (failed_) return *failed_;
  return Done{};
}

std::vector<Tally> FactsTarget::tally() const {
  return {{"added", added_}, {"replaced", replaced_}};
}

void PrintTarget::add(std::string_view json, const Origin&) {
  failed_ = failed_ || std::fwrite(json.data(), 1, json.size(), stdout) != json.size() ||
            std::fputc('\n', stdout) == EOF;
}

Status PrintTarget::finish() {
  if (!failed_ && std::fflush(stdout) == 0) return Done{};
  return Error{ErrorCode::unavailable,
               fmt::format("Cannot write to standard output: {}.", std::strerror(errno))};
}

}  // namespace quire::cli
