// The targets of an import that are a server.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/asking/shop_interface.h"
#include "cli/importing/import_server.h"
#include "cli/importing/target.h"

namespace quire::cli {

// Sends rows to a server. It refuses some later, so the rows that may still be refused are kept as
// they stood.
class ServerTarget : public Target {
 public:
  // The rejects must outlive it. invalid_parameter: see ServerImport::open().
  static Result<std::unique_ptr<ServerTarget>> to(const ServerImportOptions& options,
                                                  Rejects& rejects);
  void next_file() override { import_->next_file(); }
  void add(std::string_view json, const Origin& origin) override;
  bool failed() const override { return import_->failed().has_value(); }
  Status finish() override { return import_->finish(); }
  std::vector<Tally> tally() const override;

 private:
  // Rows of the part that is filled, and of that which is under way.
  static constexpr std::size_t max_kept = 2 * ServerImport::part_rows + 1;

  struct Kept {
    std::string file;
    std::uint64_t line;
    bool own;  // Quire's own row: `text` is it
    std::string text;
    Record record;
  };

  explicit ServerTarget(Rejects& rejects) : rejects_(rejects) {}
  void refuse(std::uint64_t number, std::string_view reason);

  Rejects& rejects_;
  std::deque<Kept> kept_;
  std::uint64_t first_ = 0;  // the number of the first that is kept
  std::unique_ptr<ServerImport> import_;
};

// Tells a server facts of products, one after the other, in place of those before.
class ServerFactsTarget : public Target {
 public:
  // The rejects must outlive it.
  ServerFactsTarget(std::unique_ptr<ShopInterface> shop, Rejects& rejects)
      : shop_(std::move(shop)), rejects_(rejects) {}
  void add(std::string_view json, const Origin& origin) override;
  bool failed() const override { return failed_.has_value(); }
  Status finish() override;
  std::vector<Tally> tally() const override { return {{"told", told_}}; }

 private:
  std::unique_ptr<ShopInterface> shop_;
  Rejects& rejects_;
  std::uint64_t told_ = 0;
  std::optional<Error> failed_;
};

}  // namespace quire::cli
