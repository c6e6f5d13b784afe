// Votes of customers. A vote is a row, found by its comment and by its customer, and a count in the
// comment's attributes, which change together. `unvoted` has what the attributes had before the
// first vote, so the count is known to be what rows add. Votes of a removed comment are swept
// later, as there may be many.
#include <map>

#include "model/attributes.h"
#include "model/document.h"
#include "model/validate.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/vote_rows.h"

namespace quire::embedded {
namespace {

constexpr std::size_t votes_at_once = 100;  // of a customer who is erased, or that are swept

Voted voted(std::optional<Vote> vote, const Tally& tally) {
  return {vote, tally.helpful.value_or(0), tally.unhelpful.value_or(0)};
}

lmdb::Damaged damaged_votes() {
  return lmdb::Damaged("the votes of a comment are damaged: run quire verify");
}

// The first entries whose keys begin with `prefix`, strictly after `after`.
std::vector<std::string> keys_after(const lmdb::Transaction& txn, MDB_dbi database,
                                    std::string_view prefix, std::string_view after) {
  std::vector<std::string> keys;
  lmdb::Cursor cursor(txn, database);
  auto from = after.empty() ? prefix : after;
  bool there = from.empty() ? cursor.move(MDB_FIRST) : cursor.seek(from, MDB_SET_RANGE);
  if (there && !after.empty() && cursor.key() == after) there = cursor.move(MDB_NEXT);
  for (; there && keys.size() < votes_at_once && cursor.key().starts_with(prefix);
       there = cursor.move(MDB_NEXT))
    keys.emplace_back(cursor.key());
  return keys;
}

}  // namespace

Result<Voted> Edit::vote(const Ulid& id, const CustomerHash& customer, std::optional<Vote> vote) {
  auto found = find(id);
  if (!found) return found.error();
  if (!found->comment.published()) return no_such_comment();
  if (found->comment.customer == customer) return own_comment();
  return cast(*found, customer, vote);
}

Result<Voted> Edit::cast(Found& found, const CustomerHash& customer, std::optional<Vote> vote) {
  const auto id = found.comment.id;
  auto without = unvoted(id);
  if (!without && txn_.find(db_.unswept, id.view()))
    return Error{ErrorCode::unavailable,
                 "Votes on a removed comment of this id are being swept. Try again in a moment."};
  const auto key = vote_key(id, customer);
  auto row = txn_.find(db_.votes, key);
  auto before = row ? decode_vote(key, *row) : std::nullopt;
  if (row && !before) throw damaged_votes();
  auto present = tally_of(found.comment.attributes);
  if (before == vote) return voted(vote, present);
  if (!takes_votes(found.comment.attributes)) return no_numbers();
  auto votes = votes_in(present, without.value_or(present));
  if (before && votes.of(*before)-- == 0) throw damaged_votes();
  if (vote) ++votes.of(*vote);
  auto changed = found.comment.attributes;
  auto tally = counted(without.value_or(present), votes);
  set_tally(changed, tally);
  if (auto errors = check_attributes(changed); !errors.empty())
    return invalid_comment(std::move(errors));
  auto by_customer = voter_key(customer, id);
  if (vote) txn_.put(db_.votes, key, encode_vote(*vote));
  if (vote && !before) txn_.put(db_.voters, by_customer, {});
  if (!vote) txn_.remove(db_.votes, key);
  if (!vote) txn_.remove(db_.voters, by_customer);
  put_votes(found, without.value_or(present), votes);
  return voted(vote, tally);
}

// Makes the counts of a comment those of its votes. `before`: without them.
void Edit::put_votes(Found& found, const Tally& before, const VoteCounts& votes) {
  const auto id = found.comment.id;
  if (votes.none())
    txn_.remove(db_.unvoted, id.view());
  else if (auto row = encode_tally(before); txn_.find(db_.unvoted.dbi, id.view()) == std::nullopt)
    txn_.put(db_.unvoted, id.view(), row);
  auto changed = found.comment;
  set_tally(changed.attributes, counted(before, votes));
  if (changed != found.comment) rewrite(found, std::move(changed));
}

// Of any status, which stays.
void Edit::rewrite(Found& found, Comment changed) {
  auto document = encode_document(changed);
  if (changed.published()) return replace(found, std::move(changed), document);
  take(found);
  put(changed, document);
}

std::optional<Tally> Edit::unvoted(const Ulid& id) const {
  auto row = txn_.find(db_.unvoted, id.view());
  if (!row) return {};
  auto tally = decode_tally(*row);
  if (!tally) throw damaged_votes();
  return tally;
}

void Edit::forget_votes(const Ulid& id) {
  if (txn_.remove(db_.unvoted.dbi, id.view())) txn_.put(db_.unswept, id.view(), {});
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
  auto keys = keys_after(txn_, db_.votes.dbi, id, "");
  for (const auto& key : keys) {
    bool whole = key.size() == Key<48>::size;
    if (whole) txn_.remove(db_.voters, voter_key(vote_customer(key), vote_comment(key)));
    txn_.remove(db_.votes.dbi, key);
  }
  if (keys.size() < votes_at_once) txn_.remove(db_.unswept, id);
  return true;
}

bool Edit::work_left() {
  return schema().unfinished() != nullptr || txn_.entries(db_.unswept) > 0;
}

Result<Edit::ErasedVotes> Edit::erase_votes(const CustomerHash& customer,
                                            const std::string& after) {
  ErasedVotes erased;
  auto keys = keys_after(txn_, db_.voters, customer.view(), after);
  for (const auto& by_customer : keys) {
    auto id = id_at_end(by_customer);
    auto key = vote_key(id, customer);
    auto found = find(id);
    bool gone = !found && found.error().code == ErrorCode::not_found;
    bool kept = found && txn_.find(db_.unvoted.dbi, id.view());
    auto cast = kept ? this->cast(*found, customer, {}) : Result<Voted>(Voted{});
    if (!gone && !found) erased.damage = found.error();
    if (!cast) erased.damage = cast.error();
    txn_.remove(db_.votes.dbi, key);
    txn_.remove(db_.voters, by_customer);
    ++erased.votes;
  }
  if (keys.size() == votes_at_once) erased.next = keys.back();
  return erased;
}

// Keeps the votes that can be read and whose comments exist, and makes counts of them.
void Edit::repair_votes() {
  constexpr std::size_t written_at_once = 10'000;
  std::map<Ulid, VoteCounts> counts;
  drop_from(db_.votes, [&](std::string_view key, std::optional<std::string_view> row) {
    auto vote = row ? decode_vote(key, *row) : std::nullopt;
    bool known =
        vote && (txn_.find(db_.ids.dbi, vote_comment(key).view()) || is_held(vote_comment(key)));
    if (known) ++counts[vote_comment(key)].of(*vote);
    return !known;
  });
  txn_.clear(db_.unswept);
  txn_.clear(db_.voters);
  for (auto keys = keys_after(txn_, db_.votes.dbi, "", ""); !keys.empty();
       keys = keys_after(txn_, db_.votes.dbi, "", keys.back()))
    for (const auto& key : keys)
      txn_.put(db_.voters, voter_key(vote_customer(key), vote_comment(key)), {});
  for (auto keys = keys_after(txn_, db_.unvoted.dbi, "", ""); !keys.empty();
       keys = keys_after(txn_, db_.unvoted.dbi, "", keys.back()))
    for (const auto& key : keys) {
      if (key.size() != Ulid::size)
        txn_.remove(db_.unvoted.dbi, key);
      else
        counts.try_emplace(id_at_end(key));
    }
  std::size_t written = 0;
  for (const auto& [id, votes] : counts) {
    recount(id, votes);
    if (++written % written_at_once == 0) write_products();
  }
}

// Where it is not known what the attributes had without votes, they had what the votes leave.
void Edit::recount(const Ulid& id, const VoteCounts& votes) {
  auto bytes = txn_.find(db_.unvoted.dbi, id.view());
  auto row = bytes ? lmdb::unsealed(db_.unvoted.seed, id.view(), *bytes) : std::nullopt;
  auto before = row ? decode_tally(*row) : std::nullopt;
  auto found = find(id);
  if (!before || !found) txn_.remove(db_.unvoted.dbi, id.view());
  if (!found) return;
  put_votes(*found, before.value_or(without(tally_of(found->comment.attributes), votes)), votes);
}

}  // namespace quire::embedded
