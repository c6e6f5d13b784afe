// The table as the source of a projection: its stream, its scan, and the workers' leases, which are
// items of the table. Format of the items: docs/formats/table.md
#pragma once

#include <string>
#include <vector>

#include "dynamodb/streams.h"
#include "projection/source.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/inspection/inspection.h"

namespace quire::dynamodb {

// The records of a table's stream, whoever wrote the table.
struct ReadRecords {
  projection::Read::Kind kind;
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
  HttpClient http_client_;
  TableClient streams_;
};

// The error of an answer that cannot be decoded.
Error damaged_part(std::string_view what);

// The changes of comments in a record: none if it is about another item; two if it moved a comment
// to another product. A comment that became a damaged item is removed; so is one that is no longer
// published.
struct RecordedChanges {
  std::vector<change::Change> changes;
  std::optional<Damage> damage;  // of the item that the record put
};
RecordedChanges changes_of(const Record& record);

// `access` must outlive it.
class TableSource : public projection::Source {
 public:
  using ReadRecord = RecordedChanges (*)(const Record&);

  // `read_record`: changes_of, or told_of.
  TableSource(TableAccess& access, const Address& address, ReadRecord read_record = changes_of);

  // Shows every item that is scanned from now on to `inspection`, which must outlive this.
  void show_to(ItemInspection& inspection) { inspection_ = &inspection; }

  Awaitable<Result<projection::Stream>> stream() override;
  Awaitable<Result<projection::Iterator>> iterator(std::string arn, std::string shard,
                                                   std::string after) override;
  Awaitable<Result<projection::Read>> read(std::string iterator) override;
  Awaitable<Result<projection::Scanned>> scan(std::size_t segment, std::size_t segments,
                                              std::string after) override;
  Awaitable<Result<Schema>> schema() override;
  Awaitable<Result<projection::Leases>> leases(std::string projection) override;
  Awaitable<Result<bool>> put_lease(std::string projection, std::string shard,
                                    std::optional<projection::Lease> before,
                                    std::optional<projection::Lease> after) override;

 private:
  Awaitable<Answer> send(Call call) {
    return access_.loop.run(access_.client.send(std::move(call)));
  }
  Awaitable<Result<std::string>> arn();
  Awaitable<Status> name_products(std::vector<change::Change>& changes);

  TableAccess& access_;
  ReadRecord read_record_;
  ItemInspection* inspection_ = nullptr;
  StreamReader stream_;
};

}  // namespace quire::dynamodb
