// The records of a table's stream, whoever wrote the table.
#pragma once

#include <string>
#include <vector>

#include "dynamodb/streams.h"
#include "projection/source.h"
#include "store/dynamodb/access/access.h"

namespace quire::dynamodb {

struct ReadRecords {
  projection::Read::What what;
  Records records = {};
};

// `access` must outlive it. Errors as of projection::Source.
class StreamReader {
 public:
  StreamReader(TableAccess& access, const Address& address);

  // With all of its shards, parents first.
  Awaitable<Result<projection::Stream>> stream(std::string arn);
  Awaitable<Result<projection::Iterator>> iterator(std::string arn, std::string shard,
                                                   std::string after);
  Awaitable<Result<ReadRecords>> read(std::string iterator);

 private:
  Awaitable<Answer> send(Call call);

  TableAccess& access_;
  Connections connections_;
  Client streams_;
};

// The error of an answer that cannot be decoded.
Error damaged_part(std::string_view what);

}  // namespace quire::dynamodb
