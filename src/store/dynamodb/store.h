// Comments in a DynamoDB table, or in an engine that speaks its API.
#pragma once

#include <memory>

#include "dynamodb/address.h"
#include "store/store.h"

namespace quire::dynamodb {

struct TableAccess;

// Has a thread of its own. Requests are answered or given up within seconds; when it is destroyed
// none may be under way.
class TableStore : public Store {
 public:
  // Sends nothing yet.
  explicit TableStore(const Address& address);
  ~TableStore() override;

  CostModel costs() const override;
  std::unique_ptr<View> view() override;
  std::vector<Figure> figures() const override;
  Awaitable<Status> ready() override;
  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once) override;
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {}) override;
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) override;
  // In transactions of a hundred items: of each all or none.
  Awaitable<Result<std::size_t>> insert_many(std::vector<Comment> comments) override;
  // A few seconds' work.
  std::size_t batch() const override { return 2000; }

  // The keys of cursors that every process on this table shares: the text of a key file. Without
  // one in the table, `fresh` becomes it, and is given back if nobody was faster.
  Awaitable<Result<std::string>> cursor_keys(std::string fresh);

  TableAccess& access();

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace quire::dynamodb
