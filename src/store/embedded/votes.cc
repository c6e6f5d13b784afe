// Votes of customers. A vote is a row, found by its comment and by its customer, and a count in the
// comment's attributes, which change together. Before the votes of a comment lies a row with what
// the attributes had without them, so the count is known to be what votes add. Votes of a removed
// comment are swept later, as there may be many.
#include <map>

#include "base/try.h"
#include "model/attributes.h"
#include "model/document.h"
#include "model/validate.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/words.h"

namespace quire::embedded {
namespace {

constexpr std::size_t votes_at_once = 100;  // that are swept, or looked at by a repair

Voted voted(std::optional<Vote> vote, const Tally& tally) {
  return {vote, tally.helpful.value_or(0), tally.unhelpful.value_or(0)};
}

Error damaged_votes() {
  return {ErrorCode::damaged, "The votes of a comment are damaged: run quire verify --repair."};
}

}  // namespace

Result<Voted> Edit::vote(const Ulid& id, const CustomerHash& customer, std::optional<Vote> vote) {
  TRY(auto found, find(id));
  if (!found.comment.published()) return no_such_comment();
  if (found.comment.customer == customer) return own_comment();
  return cast(found, customer, vote);
}

Result<Voted> Edit::cast(FoundComment& found, const CustomerHash& customer,
                         std::optional<Vote> vote) {
  const auto id = found.comment.id;
  auto without = unvoted(id);
  if (!without && txn_.find(db_.unswept, id.view()))
    return Error{ErrorCode::unavailable,
                 "Votes on a removed comment of this id are being swept. Try again in a moment."};
  const auto key = vote_key(id, customer);
  auto row = txn_.find(db_.votes, key);
  auto before = row ? decode_vote(key, *row) : std::nullopt;
  if (row && !before) return damaged_votes();
  auto present = tally_of(found.comment.attributes);
  if (before == vote) return voted(vote, present);
  if (!takes_votes(found.comment.attributes)) return no_numbers();
  auto votes = votes_in(present, without.value_or(present));
  if (before && votes.of(*before)-- == 0) return damaged_votes();
  if (vote) ++votes.of(*vote);
  TRY_DONE(put_votes(found, without, without.value_or(present), votes));
  auto by_customer = voter_key(customer, id);
  if (vote) txn_.put(db_.votes, key, encode_vote(*vote));
  if (vote && !before) txn_.put(db_.voters, by_customer, {});
  if (!vote) txn_.remove(db_.votes, key);
  if (!vote) txn_.remove(db_.voters, by_customer);
  return voted(vote, counted(without.value_or(present), votes));
}

// Makes the counts of a comment those of its votes. `row`: what is kept of it without them, which
// is `before`. An error, and nothing changed: the comment has no room for a count.
Status Edit::put_votes(FoundComment& found, const std::optional<Tally>& row, const Tally& before,
                       const VoteCounts& votes) {
  const auto id = found.comment.id;
  auto changed = found.comment;
  set_tally(changed.attributes, counted(before, votes));
  if (auto errors = check_attributes(changed.attributes); !errors.empty())
    return invalid_comment(std::move(errors));
  if (row && votes.none()) txn_.remove(db_.votes, id.view());
  if (!row && !votes.none()) txn_.put(db_.votes, id.view(), encode_tally(before));
  if (changed == found.comment) return Done{};
  events_.add(EventType::voted, changed);
  rewrite(found, std::move(changed));
  return Done{};
}

// Of any status, which stays.
void Edit::rewrite(FoundComment& found, Comment changed) {
  auto document = encode_document(changed);
  if (changed.published()) return replace(found, std::move(changed), document);
  take(found);
  put(changed, document);
}

std::optional<Tally> Edit::unvoted(const Ulid& id) const {
  auto row = txn_.find(db_.votes, id.view());
  if (!row) return {};
  auto tally = decode_tally(*row);
  if (!tally) throw lmdb::Damaged("the votes of a comment are damaged: run quire verify");
  return tally;
}

// Whether a vote, and what the comment counts without votes, can be read.
bool Edit::is_readable_vote(const Ulid& id, std::string_view key) const try {
  unvoted(id);
  auto row = txn_.find(db_.votes, key);
  return !row || decode_vote(key, *row);
} catch (const lmdb::Damaged&) {
  return false;
}

void Edit::forget_votes(const Ulid& id) {
  if (txn_.remove(db_.votes.dbi, id.view())) txn_.put(db_.unswept, id.view(), {});
}

void Edit::sweep(const std::function<bool()>& enough) {
  while (!enough() && sweep_one()) {
  }
}

// Sweeps some votes of one comment. Whether there were any.
bool Edit::sweep_one() {
  lmdb::Cursor cursor(txn_, db_.unswept);
  if (!cursor.move(MDB_FIRST)) return false;
  const std::string id(cursor.key());
  auto keys = lmdb::keys_under(txn_, db_.votes, id, votes_at_once);
  for (const auto& key : keys) {
    if (is_vote_key(key)) txn_.remove(db_.voters, voter_key(vote_customer(key), vote_comment(key)));
    txn_.remove(db_.votes.dbi, key);
  }
  if (keys.size() < votes_at_once) txn_.remove(db_.unswept, id);
  return true;
}

UpkeepLeft Edit::upkeep_left() {
  return {txn_.entries(db_.unswept) > 0, schema().unfinished() != nullptr,
          is_work_left(words().contents())};
}

Result<Edit::ErasedPart> Edit::erase_votes(const CustomerHash& customer,
                                           const std::vector<std::string>& keys) {
  ErasedPart part;
  for (const auto& by_customer : keys) {
    auto id = id_at_end(by_customer);
    auto key = vote_key(id, customer);
    auto found = find(id);
    bool gone = !found && found.error().code == ErrorCode::not_found;
    bool kept = found && txn_.find(db_.votes.dbi, id.view());
    bool readable = kept && is_readable_vote(id, key);
    auto cast = readable ? this->cast(*found, customer, {}) : Result<Voted>(Voted{});
    if (!gone && !found) part.damage = found.error();
    if (kept && !readable) part.damage = damaged_votes();
    if (!cast && cast.error().code == ErrorCode::damaged) part.damage = cast.error();
    txn_.remove(db_.votes.dbi, key);
    txn_.remove(db_.voters, by_customer);
    ++part.erased.votes;
  }
  return part;
}

// Keeps the votes that can be read and whose comments exist, and makes counts of them.
void Edit::repair_votes(Rebuilt& rebuilt) {
  constexpr std::size_t written_at_once = 10'000;
  std::map<Ulid, VoteCounts> counts;
  auto has_votes = [&](const Ulid& id) {
    return !txn_.find(db_.unswept, id.view()) && (txn_.find(db_.ids.dbi, id.view()) || is_held(id));
  };
  drop_from(db_.votes, rebuilt, [&](std::string_view key, std::optional<std::string_view> row) {
    bool tally = key.size() == Ulid::size && row && decode_tally(*row);
    auto vote = row ? decode_vote(key, *row) : std::nullopt;
    if ((!vote && !tally) || !has_votes(vote_comment(key))) return true;
    auto& count = counts[vote_comment(key)];
    if (vote) ++count.of(*vote);
    return false;
  });
  txn_.clear(db_.unswept);
  txn_.clear(db_.voters);
  auto some_after = [&](std::string_view last) {
    return lmdb::keys_under(txn_, db_.votes, "", votes_at_once, last);
  };
  for (auto keys = some_after(""); !keys.empty(); keys = some_after(keys.back())) {
    for (const auto& key : keys) {
      if (is_vote_key(key))
        txn_.put(db_.voters, voter_key(vote_customer(key), vote_comment(key)), {});
    }
  }
  std::size_t written = 0;
  for (const auto& [id, votes] : counts) {
    recount(id, votes);
    if (++written % written_at_once == 0) write_products();
  }
}

// Where it is not known what the attributes had without votes, they had what the votes leave. Votes
// for whose count the comment has no room are swept.
void Edit::recount(const Ulid& id, const VoteCounts& votes) {
  auto row = unvoted(id);
  auto found = find(id);
  auto drop_tally = [&] {
    if (row) txn_.remove(db_.votes, id.view());
  };
  if (!found) return drop_tally();
  auto before = row.value_or(without(tally_of(found->comment.attributes), votes));
  if (put_votes(*found, row, before, votes)) return;
  drop_tally();
  txn_.put(db_.unswept, id.view(), {});
}

}  // namespace quire::embedded
