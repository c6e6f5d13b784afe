#include "store/dynamodb/stream/source.h"

#include <boost/json.hpp>

#include "base/clock.h"
#include "base/try.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {

namespace {

namespace json = boost::json;

constexpr std::size_t records_at_once = 1000;

// The service has two names for records older than a day.
bool is_gone(const Failure& failure) {
  return failure.kind == FailureKind::missing || failure.name == "TrimmedDataAccessException";
}

Address streams_of(Address address) {
  address.endpoint = address.streams;
  return address;
}

constexpr std::size_t items_at_once = 1000;

constexpr std::string_view lease_prefix = "LEASE#";
constexpr std::uint64_t lease_kept_s = 24 * 3600;

Error no_stream() {
  return {ErrorCode::invalid_parameter,
          "The table has no stream with new and old images, so nothing can follow it: switch its "
          "stream on (NEW_AND_OLD_IMAGES).",
          "store"};
}

Item lease_key(const std::string& projection, const std::string& shard) {
  return key_of("PROJECTION#" + projection, std::string(lease_prefix) + shard);
}

Expression is_still(const std::optional<projection::Lease>& before) {
  if (!before) return {"attribute_not_exists(#k)", {{"#k", "PK"}}, {}};
  return {"#o = :o AND #b = :b",
          {{"#o", "owner"}, {"#b", "beat"}},
          {{":o", string(before->owner)}, {":b", number(before->beat)}}};
}

// Where a comment is.
struct Located {
  std::string product;
  Ulid id;
  change::IndexedValues values;
};

// Absent: the item is no comment that is published.
std::optional<Located> place_of(const Item& item) {
  auto comment = comment_of(item);
  if (!comment || !comment->published()) return {};
  return Located{comment->product, comment->id, change::IndexedValues(std::move(*comment))};
}

}  // namespace

Error damaged_part(std::string_view what) {
  return {ErrorCode::unavailable,
          "An answer of the table's " + std::string(what) + " is damaged. Try again in a moment."};
}

StreamReader::StreamReader(TableAccess& access, const Address& address)
    : access_(access),
      http_client_(access.loop.context(), address.streams),
      streams_(streams_of(address), surroundings(http_client_, access.provider)) {}

Awaitable<Answer> StreamReader::send(Call call) {
  return access_.loop.run(streams_.send(std::move(call), streams_target));
}

Awaitable<Result<projection::Stream>> StreamReader::stream(std::string arn) {
  std::vector<Shard> shards;
  std::string further;
  int pages = 0;
  do {
    auto answer = co_await send(describe_stream(arn, further));
    if (answer.failure) co_return error_of(*answer.failure);
    auto described = decode_stream(answer.body);
    if (!described || ++pages > max_pages) co_return damaged_part("stream");
    std::move(described->shards.begin(), described->shards.end(), std::back_inserter(shards));
    further = std::move(described->further);
  } while (!further.empty());
  projection::Stream stream{std::move(arn), {}};
  for (auto& shard : parents_first(std::move(shards)))
    stream.shards.push_back({std::move(shard.id), std::move(shard.parent), shard.last.empty()});
  co_return stream;
}

Awaitable<Result<projection::Iterator>> StreamReader::iterator(std::string arn, std::string shard,
                                                               std::string after) {
  auto answer = co_await send(shard_iterator(arn, shard, after));
  if (answer.failure && is_gone(*answer.failure)) co_return projection::Iterator{{}, true};
  if (answer.failure) co_return error_of(*answer.failure);
  auto text = decode_iterator(answer.body);
  if (!text) co_return damaged_part("stream");
  co_return projection::Iterator{std::move(*text)};
}

Awaitable<Result<ReadRecords>> StreamReader::read(std::string iterator) {
  using Kind = projection::Read::Kind;
  auto answer = co_await send(get_records(iterator, records_at_once));
  if (answer.failure && answer.failure->name == "ExpiredIteratorException")
    co_return ReadRecords{Kind::expired};
  if (answer.failure && is_gone(*answer.failure)) co_return ReadRecords{Kind::gone};
  if (answer.failure) co_return error_of(*answer.failure);
  auto found = decode_records(answer.body);
  if (!found) co_return damaged_part("stream");
  co_return ReadRecords{Kind::records, std::move(*found)};
}

RecordedChanges changes_of(const Record& record) {
  auto before = place_of(record.before), after = place_of(record.after);
  RecordedChanges out;
  auto& changes = out.changes;
  if (!after) out.damage = damage_of(record.after);
  bool moved = before && after && before->product != after->product;
  if (before && (moved || !after))
    changes.push_back({before->product, before->id, before->values, {}, record.sequence});
  if (after) {
    change::Change change{after->product, after->id, {}, after->values, record.sequence};
    if (before && !moved) change.from = before->values;
    if (change.from != change.to) changes.push_back(std::move(change));
  }
  return out;
}

TableSource::TableSource(TableAccess& access, const Address& address, ReadRecord read_record)
    : access_(access), read_record_(read_record), stream_(access, address) {}

Awaitable<Result<std::string>> TableSource::arn() {
  auto answer = co_await send(describe_table(access_.client.table()));
  if (answer.failure) co_return error_of(*answer.failure);
  auto table = decode_table(answer.body);
  if (!table) co_return damaged_part("description");
  if (table->stream.empty() || table->stream_view != stream_view) co_return no_stream();
  co_return table->stream;
}

Awaitable<Result<projection::Stream>> TableSource::stream() {
  CO_TRY(auto name, co_await arn());
  co_return co_await stream_.stream(std::move(name));
}

Awaitable<Result<projection::Iterator>> TableSource::iterator(std::string arn, std::string shard,
                                                              std::string after) {
  return stream_.iterator(std::move(arn), std::move(shard), std::move(after));
}

Awaitable<Result<projection::Read>> TableSource::read(std::string iterator) {
  CO_TRY(auto found, co_await stream_.read(std::move(iterator)));
  projection::Read read{found.kind};
  read.records = found.records.records.size();
  read.next = std::move(found.records.next);
  for (auto& record : found.records.records) {
    auto [changes, damage] = read_record_(record);
    if (damage) access_.damaged.note(*damage);
    std::move(changes.begin(), changes.end(), std::back_inserter(read.changes));
    read.sequence = std::move(record.sequence);
    read.made_ms = record.made_s * 1000;
  }
  CO_TRY_DONE(co_await name_products(read.changes));
  co_return read;
}

// The product of a comment that was reported, as the table has it now; a comment that is gone is
// removed by another event.
Awaitable<Status> TableSource::name_products(std::vector<change::Change>& changes) {
  for (auto& change : changes) {
    if (!change.event || !change.product.empty()) continue;
    auto reading = access_.client.get(comment_key(change.id));
    CO_TRY(auto found, co_await access_.loop.run(std::move(reading)));
    auto comment = found.item ? comment_of(*found.item) : std::nullopt;
    if (comment)
      change.product = change.event->product = comment->product;
    else
      change.event.reset();
  }
  co_return Done{};
}

Awaitable<Result<projection::Scanned>> TableSource::scan(std::size_t segment, std::size_t segments,
                                                         std::string after) {
  std::optional<Item> start;
  if (!after.empty()) {
    boost::system::error_code no_json;
    start = decode_item(json::parse(after, no_json));
    if (no_json || !start) co_return damaged_part("scan");
  }
  if (inspection_) {
    CO_TRY_DONE(co_await inspection_->prepare());
  }
  Segment part{segment, segments};
  auto scan = dynamodb::scan(access_.client.table(), start, items_at_once, part);
  CO_TRY(auto page, co_await access_.loop.run(access_.client.page(std::move(scan))));
  projection::Scanned scanned{{}, {}, !page.last};
  for (const auto& item : page.items) {
    auto where = place_of(item);
    if (inspection_)
      inspection_->look(item);
    else if (auto damage = damage_of(item))
      access_.damaged.note(*damage);
    if (where)
      scanned.changes.push_back(
          {std::move(where->product), where->id, {}, std::move(where->values)});
  }
  if (page.last) scanned.read_to = json::serialize(encode(*page.last));
  co_return scanned;
}

Awaitable<Result<Schema>> TableSource::schema() {
  CO_TRY(auto known, co_await access_.loop.run(access_.facets.fetch()));
  co_return *known.value;
}

Awaitable<Result<projection::Leases>> TableSource::leases(std::string projection) {
  projection::Leases leases;
  std::optional<Item> start;
  int pages = 0;
  do {
    QueryArguments arguments{.table = access_.client.table(),
                             .partition_name = "PK",
                             .partition = "PROJECTION#" + projection,
                             .start = start,
                             .consistent = true};
    CO_TRY(auto page, co_await access_.loop.run(access_.client.page(query(arguments))));
    if (++pages > max_pages) co_return damaged_part("leases");
    for (const auto& item : page.items) {
      auto sort = text_of(item, "SK").value_or("");
      if (!sort.starts_with(lease_prefix)) continue;
      leases[std::string(sort.substr(lease_prefix.size()))] = {
          std::string(text_of(item, "owner").value_or("")), number_of(item, "beat").value_or(0)};
    }
    start = std::move(page.last);
  } while (start);
  co_return leases;
}

Awaitable<Result<bool>> TableSource::put_lease(std::string projection, std::string shard,
                                               std::optional<projection::Lease> before,
                                               std::optional<projection::Lease> after) {
  const std::string& table = access_.client.table();
  Item item = lease_key(projection, shard);
  Expression condition = is_still(before);
  Call call = delete_item(table, item, condition, Repeat::safe);
  if (after) {
    item.emplace("owner", string(after->owner));
    item.emplace("beat", number(after->beat));
    // The table removes the lease of a worker that never comes back.
    item.emplace(std::string(expiry_attribute), number(system_ms() / 1000 + lease_kept_s));
    call = put_item(table, item, condition, Repeat::safe);
  }
  co_return co_await access_.loop.run(access_.client.make(std::move(call)));
}

}  // namespace quire::dynamodb
