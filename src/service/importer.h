// Imports rows of files into the store, in batches. Where the store says so, rows that come in no
// order are sorted by id first.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "model/comment_json.h"
#include "model/schema.h"
#include "service/runs.h"
#include "store/store.h"

namespace quire {

// Gives ids to rows that have none: the row's time, and 80 bits of a digest of its product, time,
// author, rating, title and text, and of the number of rows before it in its file that are equal in
// these. So the same file always gives the same ids, and a row keeps its id when its system tells
// more of it, or tells it in another language.
class RowIds {
 public:
  Ulid id(const Draft& row);
  // How many rows differ of those that got ids.
  std::size_t size() const { return seen_.size(); }

 private:
  // By the first 64 bits of the row's digest. Grows by 16 bytes a row of the file.
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> seen_;
};

class Importer {
 public:
  static constexpr std::size_t batch_bytes = 128 << 20;
  static constexpr std::size_t max_reports = 1'000'000;

  using Write = std::function<Result<Imported>(std::vector<ImportRow>)>;
  // The hash of a customer's id.
  using HashOf = std::function<Result<CustomerHash>(std::string_view)>;
  // Whether the store keeps customers by the key with this check text; empty: the file does not
  // tell which key it was. An error says what to copy.
  using SameKey = std::function<Status(std::string_view check)>;
  // Why the store cannot keep a row. See Store::check().
  using Check = std::function<Status(const Comment&)>;

  // `write` brings a batch of at most `batch_rows` rows into the store. It runs on a thread of its
  // own, one batch at a time, while the next batch is read. A row may be dated at most five minutes
  // after the beginning of the import, `now_ms`. `schema`: the facets that attributes must fit.
  // `sorting_directory`: see Store. `hash_of`: null: rows with `customer_id` are refused.
  // `refuses`: null: the store keeps all. `same_key`: asked once for each key of a file whose rows
  // have the hash of a `customer`; null: those are taken as they are.
  Importer(Write write, std::size_t batch_rows, std::uint64_t now_ms = system_ms(),
           Schema schema = {}, std::string sorting_directory = {}, HashOf hash_of = {},
           SameKey same_key = {}, Check check = {})
      : write_(std::move(write)),
        batch_rows_(batch_rows),
        now_ms_(now_ms),
        schema_(std::move(schema)),
        sorting_directory_(std::move(sorting_directory)),
        hash_of_(std::move(hash_of)),
        same_key_(std::move(same_key)),
        check_(std::move(check)) {}

  // Bounds the memory of an import whose length is not known: the bytes of a batch, where that is
  // less than batch_bytes, and the rows without ids of a file; further ones are refused.
  void limit(std::size_t bytes, std::size_t rows_without_ids) {
    max_bytes_ = bytes;
    max_without_ids_ = rows_without_ids;
  }

  // A report is kept for the time when its comment is stored: see reports(). An error concerns this
  // row alone.
  Status add(std::string_view line);
  // Begins a new file: equal rows are counted anew, and the file tells the key of its customers.
  void next_file() {
    ids_ = {};
    key_.reset();
  }
  // Ends the import: writes the rows that wait, also those that were sorted, of which `progress` is
  // told the part written. An error: the store failed, or the sorting. Rows that are stored already
  // stay; sorted rows that are not stored yet are lost.
  Status finish(const std::function<void(double part)>& progress = {});
  // Present: the store or the sorting has failed, and the import takes nothing more.
  const std::optional<Error>& failed() const { return failed_; }

  // Those that were added, at most max_reports.
  std::vector<ReportRow>& reports() { return reports_; }
  // Comments that were removed or emptied where the file was made, at most max_reports.
  std::vector<Ulid>& removed() { return removed_; }
  std::size_t rows() const { return rows_; }  // accepted, stored or not
  // What became of those that came to the store.
  const Imported& counts() const { return counts_; }

 private:
  using Batch = std::vector<ImportRow>;
  using Step = Result<Imported> (Importer::*)(Batch batch);

  Status add(ReportRow row);
  Status add(const RemovedRow& row);
  Status take_customer(Row& row);
  void flush();
  void begin(Step step, Batch batch);
  void join();
  // Steps, which run on the thread of their own.
  Result<Imported> accept(Batch batch);
  Result<Imported> store(Batch batch);
  bool go_on_in_order(std::span<const ImportRow* const> rows);
  Result<Imported> add_run(std::vector<const ImportRow*> rows);

  Write write_;
  std::size_t batch_rows_;
  std::uint64_t now_ms_;
  Schema schema_;
  std::string sorting_directory_;
  HashOf hash_of_;
  SameKey same_key_;
  Check check_;
  std::optional<Status> key_;   // whether the key that the file told last is that of the store
  std::unique_ptr<Runs> runs_;  // null: the rows came in order so far
  Ulid median_{};               // of the rows that were last judged to be in order or not
  RowIds ids_;
  Batch batch_;
  std::vector<ReportRow> reports_;
  std::vector<Ulid> removed_;
  std::size_t bytes_ = 0;
  std::size_t max_bytes_ = batch_bytes;
  std::size_t max_without_ids_ = SIZE_MAX;
  std::future<Result<Imported>> writing_;
  std::optional<Error> failed_;
  std::size_t rows_ = 0;
  Imported counts_;
};

// Keeps the reports of an import, whose comments are stored by now; a report without its comment is
// left out. Blocks, so no loop may call it. unavailable; forbidden: the store has published
// comments alone.
Status keep_reports(Store& store, std::vector<ReportRow> reports);

}  // namespace quire
