#include "service/importer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/try.h"
#include "loop/loop.h"
#include "model/validate.h"
#include "store/ports.h"

namespace quire {

Ulid RowIds::id(const Draft& row) {
  auto rating = std::to_string(row.rating);
  auto created = std::to_string(row.created_ms.value());
  Digest digest = sha256({row.product, created, row.author, rating, row.title, row.text});
  std::uint64_t name;
  std::memcpy(&name, digest.data(), sizeof name);
  if (auto before = seen_[name]++; before > 0) {
    digest = sha256(
        {{reinterpret_cast<const char*>(digest.data()), digest.size()}, std::to_string(before)});
  }
  std::array<std::uint8_t, 10> entropy;
  std::memcpy(entropy.data(), digest.data(), entropy.size());
  return Ulid::make(*row.created_ms, entropy);
}

Status Importer::add(std::string_view line) {
  TRY(auto parsed, parse_row(line));
  if (auto* report = std::get_if<ReportRow>(&parsed)) return add(std::move(*report));
  if (auto* removed = std::get_if<RemovedRow>(&parsed)) return add(*removed);
  if (auto* key = std::get_if<CustomerKeyRow>(&parsed)) {
    key_ = same_key_ ? same_key_(key->check) : Done{};
    return Done{};
  }
  auto& row = std::get<Row>(parsed);
  auto& draft = row.draft;
  TRY_DONE(check_time(draft, now_ms_));
  auto misfits = check_types(schema_, draft.attributes);
  if (!misfits.empty()) return invalid_comment(std::move(misfits));
  if (auto taken = take_customer(row); !taken) return taken;
  if (!row.id && ids_.size() >= max_without_ids_)
    return Error{ErrorCode::unavailable,
                 "So many rows without ids are not taken at once. Send the others alone, or give "
                 "them ids."};
  Ulid id = row.id ? *row.id : ids_.id(draft);
  auto& moderation = draft.moderation;
  if (moderation.status == CommentStatus::published)
    moderation.held_ms = 0;
  else if (moderation.held_ms == 0)
    moderation.held_ms = now_ms_;
  auto comment = comment_of(id, std::move(draft));
  if (check_) TRY_DONE(check_(comment));
  // A vector that grows would touch twice the memory, and move each comment once more. What a small
  // import does not use of the room is not touched.
  if (batch_.empty()) batch_.reserve(std::min(batch_rows_, batch_bytes / sizeof(ImportRow)));
  ++rows_;
  bytes_ += line.size() + sizeof(ImportRow);
  batch_.push_back({std::move(comment), row.lacks});
  if (batch_.size() >= batch_rows_ || bytes_ >= max_bytes_) flush();
  return Done{};
}

Status Importer::take_customer(Row& row) {
  auto& draft = row.draft;
  if (draft.customer && same_key_) {
    if (!key_) key_ = same_key_({});
    return *key_;
  }
  if (row.customer_id.empty()) return Done{};
  if (!hash_of_)
    return invalid_comment({{"customer_id", "cannot be taken here: there is no key of customers"}});
  TRY(draft.customer, hash_of_(row.customer_id));
  return Done{};
}

Status Importer::add(ReportRow row) {
  if (reports_.size() == max_reports)
    return Error{ErrorCode::unavailable,
                 "An import takes a million reports; import the others alone."};
  reports_.push_back(std::move(row));
  return Done{};
}

Status Importer::add(const RemovedRow& row) {
  if (removed_.size() == max_reports)
    return Error{ErrorCode::unavailable,
                 "An import takes the ids of a million removed comments; import the others alone."};
  removed_.push_back(row.comment);
  return Done{};
}

Status Importer::finish(const std::function<void(double part)>& progress) {
  join();
  if (!batch_.empty()) begin(runs_ ? &Importer::accept : &Importer::store, std::move(batch_));
  join();
  while (runs_ && !failed_) {
    auto batch = runs_->take(batch_rows_, batch_bytes);
    if (!batch) failed_ = batch.error();
    if (!batch || batch->empty()) break;
    begin(&Importer::store, std::move(*batch));
    if (progress) progress(runs_->part());
  }
  join();
  if (failed_) return *failed_;
  return Done{};
}

void Importer::flush() {
  bytes_ = 0;
  begin(&Importer::accept, std::exchange(batch_, {}));
}

void Importer::begin(Step step, Batch batch) {
  join();
  if (!failed_) writing_ = std::async(std::launch::async, step, this, std::move(batch));
}

void Importer::join() {
  if (!writing_.valid()) return;
  auto imported = writing_.get();
  if (imported)
    counts_.add(*imported);
  else if (!failed_)
    failed_ = imported.error();
}

// Stores a batch, or adds it to the runs.
Result<Imported> Importer::accept(Batch batch) {
  if (sorting_directory_.empty()) return store(std::move(batch));
  std::vector<const ImportRow*> rows;
  rows.reserve(batch.size());
  for (const auto& row : batch) rows.push_back(&row);
  auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  bool ordered = go_on_in_order({rows.begin(), middle}) && go_on_in_order({middle, rows.end()});
  if (!runs_ && ordered) return store(std::move(batch));
  return add_run(std::move(rows));
}

// Whether at most a quarter of the rows are older than the median of the rows of the call before.
// Of rows in no order that is half. A few rows with wrong times, early or late, do not matter.
bool Importer::go_on_in_order(std::span<const ImportRow* const> rows) {
  if (rows.empty()) return true;
  std::vector<Ulid> ids;
  ids.reserve(rows.size());
  for (const auto* row : rows) ids.push_back(row->comment.id);
  auto late = std::count_if(ids.begin(), ids.end(), [&](const Ulid& id) { return id < median_; });
  auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
  std::nth_element(ids.begin(), middle, ids.end());
  median_ = *middle;
  return static_cast<std::size_t>(late) <= rows.size() / 4;
}

Result<Imported> Importer::add_run(std::vector<const ImportRow*> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ImportRow* a, const ImportRow* b) {
    return a->comment.id < b->comment.id;
  });
  if (!runs_) {
    TRY(runs_, Runs::in(sorting_directory_));
  }
  TRY_DONE(runs_->add(rows));
  return Imported{};
}

Result<Imported> Importer::store(Batch batch) {
  return write_(std::move(batch));
}

Status keep_reports(Store& store, std::vector<ReportRow> reports) {
  if (reports.empty()) return Done{};
  auto* moderation = store.moderation();
  if (!moderation) return no_moderation();
  for (auto& [comment, report] : reports) {
    auto kept = wait(moderation->keep_report(comment, std::move(report)));
    if (!kept && kept.error().code != ErrorCode::not_found) return kept.error();
  }
  return Done{};
}

}  // namespace quire
