#include "store/dynamodb/adopted/source.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/try.h"
#include "store/dynamodb/adopted/records.h"

namespace quire::adopted {
namespace {

namespace json = boost::json;

constexpr std::size_t items_at_once = 1000;

}  // namespace

// Described each time: the owner may switch the stream off and on, or take another kind.
Awaitable<Result<projection::Stream>> AdoptedSource::stream() {
  Mapping mapping = table_.mapping;
  mapping.indexes.clear();  // following needs none, so their end is no hindrance
  mapping.id = {};
  CO_TRY(auto described, co_await describe(access_, std::move(mapping)));
  if (described.stream.empty()) co_return no_stream(access_.client.table());
  table_.stream = described.stream;
  table_.stream_view = described.stream_view;
  table_.created = described.created;
  auto stream = co_await stream_.stream(table_.stream);
  if (stream) stream->arn = table_.followed_name();
  co_return stream;
}

Awaitable<Result<projection::Iterator>> AdoptedSource::iterator(std::string arn, std::string shard,
                                                                std::string after) {
  arn.resize(std::min(arn.size(), arn.find(' ')));
  return stream_.iterator(std::move(arn), std::move(shard), std::move(after));
}

Awaitable<Result<projection::Read>> AdoptedSource::read(std::string iterator) {
  CO_TRY(auto found, co_await stream_.read(std::move(iterator)));
  projection::Read read{found.kind};
  auto& records = found.records.records;
  read.records = records.size();
  read.next = std::move(found.records.next);
  if (records.empty()) co_return read;
  read.sequence = records.back().sequence;
  read.made_ms = records.back().made_s * 1000;
  CO_TRY(read.changes, co_await changes_of(access_, table_, std::move(records)));
  co_return read;
}

Awaitable<Result<projection::Scanned>> AdoptedSource::scan(std::size_t segment,
                                                           std::size_t segments,
                                                           std::string after) {
  std::optional<dynamodb::Item> start;
  if (!after.empty()) {
    boost::system::error_code no_json;
    start = dynamodb::decode_item(json::parse(after, no_json));
    if (no_json || !start) co_return dynamodb::damaged_part("scan");
  }
  auto call = dynamodb::scan(access_.client.table(), start, items_at_once, {segment, segments});
  CO_TRY(auto page, co_await access_.loop.run(access_.client.page(std::move(call))));
  projection::Scanned scanned{{}, {}, !page.last};
  for (const auto& item : page.items) {
    auto reading = table_.read(item);
    if (inspection_ && !damage_in(table_, item, reading).empty())
      inspection_->note(item);
    else if (!reading.reason.empty())
      access_.damaged.note(damage_of(table_, item, reading.reason));
    if (auto change = change_of(std::move(reading))) scanned.changes.push_back(std::move(*change));
  }
  if (page.last) scanned.read_to = json::serialize(encode(*page.last));
  co_return scanned;
}

Awaitable<Result<Schema>> AdoptedSource::schema() {
  if (!index_) co_return Schema();
  co_return co_await index_->declared();
}

Awaitable<Result<projection::Leases>> AdoptedSource::leases(std::string projection) {
  co_return leases_[projection];
}

Awaitable<Result<bool>> AdoptedSource::put_lease(std::string projection, std::string shard,
                                                 std::optional<projection::Lease> before,
                                                 std::optional<projection::Lease> after) {
  auto& leases = leases_[projection];
  auto at = leases.find(shard);
  auto is = at == leases.end() ? std::nullopt : std::optional(at->second);
  if (is != before) co_return false;
  if (after)
    leases.insert_or_assign(shard, *after);
  else
    leases.erase(shard);
  co_return true;
}

void AdoptedInspection::note(const dynamodb::Item& item) {
  auto key = key_in(table_.names, item);
  if (!key) return;
  bool full = keys_.size() >= max_items;
  more_ |= full;
  if (!full) keys_.insert(std::move(*key));
}

Awaitable<Result<std::vector<std::string>>> AdoptedInspection::look_again() {
  std::vector<std::string> sentences;
  for (auto key = keys_.begin(); key != keys_.end();) {
    CO_TRY(auto found, co_await access_.loop.run(access_.client.get(*key)));
    std::string reason;
    if (found.item) reason = damage_in(table_, *found.item, table_.read(*found.item));
    bool damaged = !reason.empty();
    if (damaged) sentences.push_back(shown(damage_of(table_, *key, std::move(reason))));
    key = damaged ? std::next(key) : keys_.erase(key);
  }
  if (more_)
    sentences.push_back(fmt::format(
        "More than {} items are damaged. See whether the mapping's \"when\" admits items that are "
        "no comments.",
        max_items));
  co_return sentences;
}

}  // namespace quire::adopted
