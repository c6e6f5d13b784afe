// Building and dropping the index, in pieces.
#include <algorithm>
#include <iterator>

#include "lmdb/cursor.h"
#include "word_index/edit.h"
#include "words/rules.h"

namespace quire::word_index {

void IndexEdit::put_work(const std::optional<Work>& work) {
  changed_ = true;
  contents_.work = work;
  if (work)
    txn_.put(db_.segments, work_key, encode(*work));
  else
    txn_.remove(db_.segments, work_key);
}

void IndexEdit::begin(std::uint64_t comments) {
  using enum State;
  auto state = contents_.state;
  if (state == ready || state == building) return;
  contents_.state = building;
  if (state != absent) return put_work(Work{Work::Step::rebuild});
  contents_.segments = {words::digest(words::rules())};
  put_work(comments > 0 ? std::optional(Work{Work::Step::build}) : std::nullopt);
  if (comments == 0) contents_.state = ready;
}

void IndexEdit::drop() {
  if (contents_.state == State::absent || contents_.state == State::dropping) return;
  write_fresh();
  put_work(Work{Work::Step::drop});
  contents_.state = State::dropping;
}

void IndexEdit::pass(const CommentKey& last, std::uint64_t comments) {
  put_work(Work{Work::Step::build, contents_.work->passed + comments, last});
}

void IndexEdit::end_building() {
  put_work({});
  contents_.state = State::ready;
}

bool IndexEdit::remove_old(std::size_t rows) {
  if (!contents_.work || contents_.work->step == Work::Step::build) return false;
  for (const auto* database : {&db_.rows, &db_.slots}) {
    auto keys = lmdb::keys_under(txn_, *database, {}, rows);
    for (const auto& key : keys) txn_.remove(*database, key);
    rows -= keys.size();
    if (rows == 0) return true;
  }
  bool anew = contents_.work->step == Work::Step::rebuild;
  contents_ = {};
  put_work({});
  changed_ = anew;
  if (anew)
    begin(1);
  else
    txn_.remove(db_.segments, segments_key);
  return false;
}

}  // namespace quire::word_index
