// The targets on this machine: a store, its facts of products, and standard output.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/store_desk.h"
#include "cli/importing/target.h"
#include "desk/import_counts.h"
#include "product/facts.h"
#include "service/importer.h"
#include "service/product_languages.h"

namespace quire::cli {

// The key of customers for rows that have some.
struct ImportedCustomers {
  std::string key_file;  // empty: the one beside the store
  bool anew = false;     // rows of customers under another key are taken, as new persons
};

// Adds comments to a store, which must outlive it, as the rejects must.
class StoreTarget : public Target {
 public:
  // unavailable: the import cannot be recorded.
  static Result<std::unique_ptr<StoreTarget>> to(StoreDesk& store, ImportTerms terms,
                                                 const ImportedCustomers& customers,
                                                 Rejects& rejects);
  // Records the import, also one that was left.
  ~StoreTarget() override;
  void next_file() override { importer_.next_file(); }
  void add(std::string_view json, const Origin& origin) override;
  bool failed() const override { return importer_.failed().has_value(); }
  Status finish() override;
  std::vector<Tally> tally() const override;

 private:
  using Recording = std::function<void(const desk::ImportCounts&)>;

  StoreTarget(const OpenStore& open, Schema schema, ImportTerms terms,
              const ImportedCustomers& customers, Rejects& rejects, Recording record);

  const OpenStore& open_;
  Rejects& rejects_;
  const Recording record_;
  ProductLanguages languages_;
  Importer importer_;
};

// Puts facts of products into a store, in place of those before. Of several rows of a product, the
// last counts.
class FactsTarget : public Target {
 public:
  // Both must outlive it.
  FactsTarget(StoreDesk& store, Rejects& rejects) : store_(store), rejects_(rejects) {}
  void add(std::string_view json, const Origin& origin) override;
  bool failed() const override { return failed_.has_value(); }
  Status finish() override;
  std::vector<Tally> tally() const override;

 private:
  void put();

  StoreDesk& store_;
  Rejects& rejects_;
  std::vector<NamedFacts> batch_;
  std::uint64_t added_ = 0, replaced_ = 0;
  std::optional<Error> failed_;
};

// Prints rows.
class PrintTarget : public Target {
 public:
  void add(std::string_view json, const Origin&) override;
  bool failed() const override { return failed_; }
  Status finish() override;

 private:
  bool failed_ = false;
};

}  // namespace quire::cli
