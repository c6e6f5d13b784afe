#include "store/dynamodb/stream/stream_reader.h"

#include "store/dynamodb/items/bounds.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t records_at_once = 1000;

// The service has two names for records older than a day.
bool is_gone(const Failure& failure) {
  return failure.kind == Kind::missing || failure.name == "TrimmedDataAccessException";
}

Address streams_of(Address address) {
  address.endpoint = address.streams;
  return address;
}

}  // namespace

Error damaged_part(std::string_view what) {
  return {ErrorCode::unavailable,
          "An answer of the table's " + std::string(what) + " is damaged. Try again in a moment."};
}

StreamReader::StreamReader(TableAccess& access, const Address& address)
    : access_(access),
      connections_(access.loop.context(), address.streams),
      streams_(streams_of(address), surroundings(connections_, access.provider)) {}

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
  using What = projection::Read::What;
  auto answer = co_await send(get_records(iterator, records_at_once));
  if (answer.failure && answer.failure->name == "ExpiredIteratorException")
    co_return ReadRecords{What::expired};
  if (answer.failure && is_gone(*answer.failure)) co_return ReadRecords{What::gone};
  if (answer.failure) co_return error_of(*answer.failure);
  auto found = decode_records(answer.body);
  if (!found) co_return damaged_part("stream");
  co_return ReadRecords{What::records, std::move(*found)};
}

}  // namespace quire::dynamodb
