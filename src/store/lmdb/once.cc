// Request keys: a POST that is repeated within a day gets its first answer again.
#include <algorithm>
#include <cstring>

#include "store/lmdb/edit.h"

namespace quire::embedded {
namespace {

constexpr std::uint64_t kept_ms = 24 * 60 * 60 * 1000;
constexpr int forgotten_at_once = 4;    // more than one a request, so that old ones cannot pile up
constexpr std::size_t stamp_size = 24;  // time, digest of the body

std::string_view bytes(const std::array<std::uint8_t, 16>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

std::optional<Result<std::string>> Edit::first_answer(const RequestKey& once) const {
  auto row = txn_.find(db_.once, bytes(once.key));
  if (!row || get_u64(row->data()) + kept_ms <= once.now_ms) return {};
  if (row->substr(8, 16) != bytes(once.body)) {
    return Error{
        ErrorCode::idempotency_conflict,
        "This Idempotency-Key was used with another body within 24 hours. Send the same body "
        "again, or take a new key for a new comment."};
  }
  return std::string(row->substr(stamp_size));
}

void Edit::remember(const RequestKey& once, std::string_view document) {
  std::string time(8, '\0');
  put_u64(time.data(), once.now_ms);
  std::string row = time;
  row += bytes(once.body);
  row += document;
  txn_.put(db_.once, bytes(once.key), row);
  txn_.put(db_.once_by_time, time + std::string(bytes(once.key)), {});
}

void Edit::forget_expired(std::uint64_t now_ms) {
  lmdb::Cursor oldest(txn_.get(), db_.once_by_time);
  for (int i = 0; i < forgotten_at_once && oldest.move(MDB_FIRST); ++i) {
    if (get_u64(oldest.key().data()) + kept_ms > now_ms) return;
    std::string key(oldest.key());
    // The key may have been used anew since; then its row has a later time.
    auto row = txn_.find(db_.once, std::string_view(key).substr(8));
    if (row && row->substr(0, 8) == key.substr(0, 8))
      txn_.remove(db_.once, std::string_view(key).substr(8));
    txn_.remove(db_.once_by_time, key);
  }
}

}  // namespace quire::embedded
