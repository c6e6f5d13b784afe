#include "store/embedded/words.h"

#include <lmdb.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/try.h"
#include "lmdb/cursor.h"
#include "lmdb/environment.h"
#include "loop/awaitable.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"
#include "store/embedded/writer.h"
#include "word_index/terms.h"

namespace quire::embedded {
namespace {

using WordState = word_index::State;
using WordStep = word_index::Work::Step;

constexpr std::size_t word_rows_at_once = 200;
constexpr std::size_t word_rows_renumbered = 32;  // in a transaction, while writes may wait

std::optional<WordStatus> status_of(const Databases& databases, const lmdb::Transaction& txn) {
  constexpr double nearly = 0.999;
  auto contents = word_index::read_contents(databases.words, txn);
  if (contents.state == WordState::absent) return {};
  WordStatus status{FacetStatus::State::ready};
  if (contents.state == WordState::dropping) status.state = FacetStatus::State::dropping;
  if (contents.state == WordState::building || contents.state == WordState::other_rules) {
    status.state = FacetStatus::State::building;
    bool builds = contents.work && contents.work->step == WordStep::build;
    auto passed = static_cast<double>(builds ? contents.work->passed : 0);
    auto all = std::max<std::uint64_t>(counted_comments(databases, txn), 1);
    status.progress = std::min(nearly, passed / static_cast<double>(all));
  }
  status.bytes = word_index::page_bytes(databases.words, txn);
  return status;
}

}  // namespace

bool is_work_left(const word_index::Contents& contents) {
  return contents.work || contents.state == WordState::other_rules;
}

void note_words(const Databases& databases, const word_index::Contents& contents) {
  databases.has_words = contents.state == WordState::ready || contents.state == WordState::building;
}

word_index::IndexEdit& Edit::words() {
  if (!words_) {
    try {
      words_.emplace(db_.words, db_.index, txn_);
    } catch (const word_index::DamagedWords& damaged) {
      build_words_anew(damaged);
      words_.emplace(db_.words, db_.index, txn_);
    }
    note_words(db_, words_->contents());
  }
  return *words_;
}

// All that the index of words has is in the comments, too, so a damaged row of it stops no write.
void Edit::build_words_anew(const word_index::DamagedWords& damaged) {
  words_damage_ = damaged.what();
  words_.reset();
  const auto& segments = db_.words.segments;
  txn_.put(segments, word_index::segments_key, word_index::encode(word_index::Segments()));
  txn_.put(segments, word_index::work_key, word_index::encode(word_index::Work{WordStep::rebuild}));
}

// Before the same changes reach the index whose blocks the words follow.
void Edit::put_words(ProductNumber product, std::span<const Indexed> comments) {
  if (words().contents().state == WordState::other_rules) words().begin(1);
  if (!words().contents().changes()) return;
  std::vector<word_index::Change> changes;
  for (const auto& [id, before, after] : comments) {
    bool same = before && after && word_index::same_words(*before, *after);
    if (same || (!before && !after) || !words().takes(product, id)) continue;
    word_index::Change change{id, {}};
    if (after) {
      auto made = made_terms_.find(id);
      change.terms =
          made == made_terms_.end() ? word_index::terms_of(*after) : std::move(made->second);
    }
    changes.push_back(std::move(change));
  }
  try {
    words().apply(product, std::move(changes));
  } catch (const word_index::DamagedWords& damaged) {
    build_words_anew(damaged);
  }
}

void Edit::finish_words() {
  if (!words_) return;
  try {
    words_->finish();
  } catch (const lmdb::Damaged& damaged) {
    build_words_anew(word_index::DamagedWords(damaged.what()));
  }
}

Status Edit::add_words() {
  write_products();
  words().begin(txn_.entries(db_.comments));
  return Done{};
}

Status Edit::drop_words() {
  write_products();
  if (words().contents().state == WordState::absent) {
    return Error{ErrorCode::not_found, "This store has no index of words: quire words list."};
  }
  words().drop();
  return Done{};
}

namespace {

// Whether rows are left of words that are dropped, or were made by other rules.
bool has_old_words(const word_index::Contents& contents) {
  bool removes = contents.work && contents.work->step != WordStep::build;
  return removes || contents.state == WordState::other_rules;
}

}  // namespace

bool Edit::remove_old_words() {
  write_products();
  if (words().contents().state == WordState::other_rules) words().begin(1);
  return words().remove_old(word_rows_at_once);
}

void Edit::work_on_words(const std::function<bool()>& enough) {
  write_products();
  const auto& contents = words().contents();
  while (contents.work || has_old_words(contents)) {
    if (has_old_words(contents))
      remove_old_words();
    else
      build_or_begin_anew();
    if (enough()) return;
  }
}

// Damage where the comments are read, too, would make building anew a circle: once a process.
void Edit::build_or_begin_anew() try {
  build_words();
} catch (const word_index::DamagedWords& damaged) {
  if (db_.words_began_anew.exchange(true)) throw;
  build_words_anew(damaged);
}

// Builds a piece further. Whether any is left.
bool Edit::build_words() {
  if (keyless_) throw std::runtime_error("the index is damaged: run quire verify --repair");
  auto work = *words().contents().work;
  lmdb::Cursor cursor(txn_.get(), db_.comments);
  auto behind = work.passed > 0 ? std::string_view(work.last) : std::string_view();
  auto piece = read_piece(cursor, db_.comments, behind);
  if (!piece.last) {
    words().end_building();
    return false;
  }
  // A damaged comment has a slot without terms.
  std::vector<word_index::Change> changes;
  for (const auto& [id, comment] : piece.comments)
    changes.push_back({id, comment ? word_index::terms_of(*comment) : word_index::Terms()});
  words().pass(*piece.last, changes.size());
  words().apply(piece.product, std::move(changes));
  return true;
}

bool Edit::rewrite_words(const word_index::Rewrite& rewrite) {
  write_products();
  return words().apply(rewrite);
}

void Edit::renumber_words(const word_index::Renumbering& plan,
                          word_index::RenumberingState& state) {
  write_products();
  words().renumber(plan, state, word_rows_renumbered);
}

namespace {

Error damaged_words() {
  return {ErrorCode::damaged, "The index of words is damaged: run quire verify --repair."};
}

}  // namespace

namespace {

// In transactions of a few rows, which let others write between them.
bool renumber(const Databases& databases, word_index::Renumbering& plan,
              const ChangeWords& change) {
  for (word_index::RenumberingState state; !state.is_over();) {
    auto next = state;
    auto made = change([&](Edit& edit) {
      next = state;  // the change may be made again
      edit.renumber_words(plan, next);
      return true;
    });
    if (!made) return false;
    state = next;
    lmdb::ReadTransaction txn(*databases.environment);
    word_index::look_again(databases.words, txn.get(), plan, state);
  }
  return true;
}

}  // namespace

bool merge_words(const Databases& databases, const ChangeWords& change) {
  std::optional<word_index::Rewrite> rewrite;
  std::optional<word_index::Renumbering> plan;
  {
    lmdb::ReadTransaction txn(*databases.environment);
    auto contents = word_index::read_contents(databases.words, txn.get());
    if (!contents.changes()) return false;
    const auto& all = contents.segments;
    // Before others, those that a renumbering left which ended early.
    if (auto due = word_index::rewrite_due(all))
      rewrite = word_index::prepare(databases.words, txn.get(), all, *due);
    else if (auto due = word_index::renumbering_due(all.segments); !due.empty())
      plan = word_index::prepare_renumbering(databases.words, txn.get(), all, std::move(due));
    else
      return false;
  }
  if (plan) return renumber(databases, *plan, change);
  auto put = change([&](Edit& edit) { return edit.rewrite_words(*rewrite); });
  return put && *put;
}

// Another process may change segments meanwhile: then another state is tried.
Status sweep_dead_words(const Databases& databases, const ChangeWords& change) try {
  constexpr int most_tries = 100;
  word_index::Slot from = 0;
  for (int tries = 0; tries < most_tries;) {
    std::optional<word_index::Rewrite> rewrite;
    {
      lmdb::ReadTransaction txn(*databases.environment);
      auto contents = word_index::read_contents(databases.words, txn.get());
      if (!contents.changes()) return Done{};
      auto due = word_index::dead_due(contents.segments, from);
      if (!due) return Done{};
      rewrite = word_index::prepare(databases.words, txn.get(), contents.segments, *due);
    }
    const auto& last = rewrite->before.back();
    TRY(bool done, change([&](Edit& edit) { return edit.rewrite_words(*rewrite); }));
    tries = done ? 0 : tries + 1;
    if (done) from = last.start + last.length;
  }
  return Error{ErrorCode::unavailable,
               "The words of the erased comments could not be removed. Erase again."};
} catch (const lmdb::Failure& failure) {
  return explain(failure);
} catch (const lmdb::Damaged&) {
  return damaged_words();
}

namespace {

Result<bool> has_old_words(const Databases& databases) try {
  lmdb::ReadTransaction txn(*databases.environment);
  return has_old_words(word_index::read_contents(databases.words, txn.get()));
} catch (const lmdb::Failure& failure) {
  return explain(failure);
} catch (const lmdb::Damaged&) {
  return damaged_words();
}

}  // namespace

// Rows that are of no use have the words of all comments, and go.
Awaitable<Status> LmdbStore::sweep_words() {
  auto remove = [](Edit& edit) -> Result<bool> { return edit.remove_old_words(); };
  for (;;) {
    CO_TRY(bool old, has_old_words(*databases_));
    if (!old) co_return co_await writer_->sweep_words();
    CO_TRY_DONE(co_await write<bool>(remove));
  }
}

namespace {

void check_seal(const lmdb::Sealed& database, const lmdb::Cursor& entry) {
  if (!lmdb::unsealed(database.seed, entry.key(), entry.value()))
    throw lmdb::Damaged("a row of words is damaged");
}

}  // namespace

void copy_words(const Databases& databases, const lmdb::Transaction& from, lmdb::NewFile& to) {
  const auto& db = databases.words;
  auto rows = to.open_sealed(word_index::rows_name), slots = to.open_sealed(word_index::slots_name),
       segments = to.open_sealed(word_index::segments_name);
  word_index::Contents contents;
  try {
    contents = word_index::read_contents(db, from);
    if (contents.state == WordState::absent || contents.state == WordState::dropping) return;
    if (!contents.changes()) throw lmdb::Damaged("the index of words is of no use");
    auto& all = contents.segments;
    std::vector<word_index::Segment> copied;
    lmdb::Cursor cursor(from, db.rows);
    for (std::size_t at = 0; at < all.segments.size(); ++at) {
      auto segment = all.segments[at];
      if (segment.dead > 0) {
        auto rewrite = word_index::prepare(db, from, all, {at, 1});
        for (const auto& row : rewrite.rows) to.append(rows, row.key, row.value);
        segment.dead = 0;
        if (!rewrite.empty) copied.push_back(segment);
        continue;
      }
      copied.push_back(segment);
      bool there = cursor.seek(word_index::row_key(segment.start, {}), MDB_SET_RANGE);
      for (; there && word_index::is_of_segment(cursor.key(), segment.start);
           there = cursor.move(MDB_NEXT)) {
        check_seal(db.rows, cursor);
        to.append(rows.dbi, cursor.key(), cursor.value());
      }
    }
    for (const auto& entry : lmdb::Entries(from, db.slots)) {
      check_seal(db.slots, entry);
      to.append(slots.dbi, entry.key(), entry.value());
    }
    all.segments = std::move(copied);
  } catch (const lmdb::Damaged&) {
    contents.segments = {};
    contents.work = word_index::Work{WordStep::rebuild};
  }
  to.put(segments, word_index::segments_key, word_index::encode(contents.segments));
  if (contents.work) to.put(segments, word_index::work_key, word_index::encode(*contents.work));
}

bool Edit::clear_words() {
  bool kept = txn_.find(db_.words.segments.dbi, word_index::segments_key).has_value();
  try {
    auto work = txn_.find(db_.words.segments, word_index::work_key);
    if (work && word_index::decode_work(*work).step == WordStep::drop) kept = false;
  } catch (const lmdb::Damaged&) {
  }
  for (MDB_dbi dbi : {db_.words.rows.dbi, db_.words.slots.dbi, db_.words.segments.dbi})
    txn_.clear(dbi);
  words_.reset();
  return kept;
}

Awaitable<Result<std::optional<WordStatus>>> LmdbStore::word_status() try {
  lmdb::ReadTransaction txn(*databases_->environment);
  co_return status_of(*databases_, txn.get());
} catch (const lmdb::Failure& failure) {
  co_return explain(failure);
} catch (const lmdb::Damaged& damaged) {
  co_return Error{ErrorCode::damaged, damaged.what()};
}

Status add_words_beside(const std::string& directory) {
  return change_beside(directory, [](Edit& edit) { return edit.add_words(); });
}

Status drop_words_beside(const std::string& directory) {
  return change_beside(directory, [](Edit& edit) { return edit.drop_words(); });
}

}  // namespace quire::embedded
