// The table as a projection follows it: its stream, its scan, and the leases, which are items of
// its own. Format of the items: docs/formats/table.md
#pragma once

#include <string>

#include "dynamodb/streams.h"
#include "projection/source.h"
#include "store/dynamodb/bounds.h"
#include "store/dynamodb/inspection.h"
#include "store/dynamodb/parts.h"

namespace quire::dynamodb {

// What a record says about comments: nothing, if it is about another item; two changes, if someone
// moved a comment to another product. A comment that was made a damaged item is gone.
struct Recorded {
  std::vector<change::Change> changes;
  std::optional<Damage> damage;  // what the record put
};
Recorded changes_of(const Record& record);

// `parts` must outlive it.
class TableSource : public projection::Source {
 public:
  TableSource(Parts& parts, const Address& address);

  // From here on every item that is scanned is shown to `inspection`, which must outlive this.
  void show_to(Inspection& inspection) { inspection_ = &inspection; }

  Awaitable<Result<projection::Stream>> stream() override;
  Awaitable<Result<projection::Iterator>> iterator(std::string arn, std::string shard,
                                                   std::string after) override;
  Awaitable<Result<projection::Read>> read(std::string iterator) override;
  Awaitable<Result<projection::Scanned>> scan(std::size_t segment, std::size_t segments,
                                              std::string after) override;
  Awaitable<Result<projection::Leases>> leases(std::string projection) override;
  Awaitable<Result<bool>> put_lease(std::string projection, std::string shard,
                                    std::optional<projection::Lease> before,
                                    std::optional<projection::Lease> after) override;

 private:
  Awaitable<Answer> send(Call call) { return parts_.loop.run(parts_.client.send(std::move(call))); }
  Awaitable<Answer> send_to_stream(Call call);
  Awaitable<Result<std::string>> arn();

  Parts& parts_;
  Inspection* inspection_ = nullptr;
  Connections connections_;
  Client streams_;
};

}  // namespace quire::dynamodb
