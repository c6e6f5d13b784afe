// The table as the source of a projection: its stream, its scan, and the workers' leases, which are
// items of the table. Format of the items: docs/formats/table.md
#pragma once

#include <string>

#include "dynamodb/streams.h"
#include "projection/source.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/inspection/inspection.h"
#include "store/dynamodb/stream/stream_reader.h"

namespace quire::dynamodb {

// The changes of comments in a record: none if it is about another item; two if it moved a comment
// to another product. A comment that became a damaged item is removed.
struct RecordedChanges {
  std::vector<change::Change> changes;
  std::optional<Damage> damage;  // of the item that the record put
};
RecordedChanges changes_of(const Record& record);

// `access` must outlive it.
class TableSource : public projection::Source {
 public:
  TableSource(TableAccess& access, const Address& address);

  // Shows every item that is scanned from now on to `inspection`, which must outlive this.
  void show_to(Inspection& inspection) { inspection_ = &inspection; }

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

  TableAccess& access_;
  Inspection* inspection_ = nullptr;
  StreamReader stream_;
};

}  // namespace quire::dynamodb
