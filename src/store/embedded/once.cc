// Request keys: a POST that is repeated within a day gets its first response again. Deleting a
// comment deletes its request key.
#include "store/embedded/edit.h"

namespace quire::embedded {
namespace {

constexpr std::uint64_t kept_ms = 24 * 60 * 60 * 1000;
constexpr int forgotten_at_once =
    4;  // more than the one key of a request, so old keys cannot pile up

std::string_view bytes(const std::array<std::uint8_t, 16>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

std::optional<Result<std::string>> Edit::first_answer(const RequestKey& once) const {
  auto found = txn_.find(db_.once, bytes(once.key));
  if (!found) return {};
  OnceRow row = decode_once(*found);
  if (row.time_ms + kept_ms <= once.now_ms) return {};
  if (row.body != once.body) {
    return Error{
        ErrorCode::idempotency_conflict,
        "This Idempotency-Key was used with another body within 24 hours. Send the same body "
        "again, or take a new key for a new comment."};
  }
  return std::move(row.document);
}

void Edit::remember(const RequestKey& once, const Ulid& id, const std::string& document) {
  forget(bytes(once.key));
  txn_.put(db_.once, bytes(once.key), encode_once({once.now_ms, once.body, id, document}));
  txn_.put(db_.once_by_time, once_by_time_key(once.now_ms, bytes(once.key)), {});
  txn_.put(db_.once_by_id, id.view(), bytes(once.key));
}

void Edit::forget(std::string_view key) {
  auto found = txn_.find(db_.once, key);
  if (!found) return;
  OnceRow row = decode_once(*found);
  std::string kept(key);  // `key` may be a view of a row that is removed
  txn_.remove(db_.once_by_time, once_by_time_key(row.time_ms, kept));
  txn_.remove(db_.once_by_id, row.id.view());
  txn_.remove(db_.once, kept);
}

void Edit::forget_request_of(const Ulid& id) {
  if (auto key = txn_.find(db_.once_by_id, id.view())) forget(std::string(*key));
}

void Edit::forget_expired(std::uint64_t now_ms) {
  lmdb::Cursor oldest(txn_.get(), db_.once_by_time);
  for (int i = 0; i < forgotten_at_once && oldest.move(MDB_FIRST); ++i) {
    if (oldest.key().size() != 24)
      throw lmdb::Damaged("a key of once_by_time is damaged: run quire verify");
    if (get_u64(oldest.key().data()) + kept_ms > now_ms) return;
    std::string key(oldest.key());
    auto request = std::string_view(key).substr(8);
    try {
      forget(request);
    } catch (const lmdb::Damaged&) {
      txn_.remove(db_.once, request);  // quire verify finds its entry in once_by_id
    }
    txn_.remove(db_.once_by_time, key);  // still there if its row is missing
  }
}

}  // namespace quire::embedded
