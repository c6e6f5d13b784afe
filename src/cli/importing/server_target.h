// The target of comments that is a server.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cli/importing/import_server.h"
#include "cli/importing/kept_row.h"
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

  explicit ServerTarget(Rejects& rejects) : rejects_(rejects) {}
  void refuse(std::uint64_t number, std::string_view reason);

  Rejects& rejects_;
  std::deque<KeptRow> kept_;
  std::uint64_t first_ = 0;  // the number of the first that is kept
  std::unique_ptr<ServerImport> import_;
};

}  // namespace quire::cli
