// The store's writes, carried out as writes of items. Used on one loop; not thread-safe. The
// contracts are Store's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/dynamodb/comments/commits.h"
#include "store/dynamodb/parts/known_parts.h"
#include "store/store.h"

namespace quire::dynamodb {

class Writes {
 public:
  static constexpr std::size_t lanes = 8;  // batches of an import under way at once

  Writes(Client& client, Commits& commits, KnownParts& parts)
      : client_(client), commits_(commits), parts_(parts) {}

  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once);
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {},
                                   Judge judge = {});
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {});
  Awaitable<Result<std::optional<Edited>>> report(Ulid id, Report report, std::uint64_t hold_at);
  Awaitable<Status> keep_report(Ulid id, Report report);
  Awaitable<Result<std::size_t>> insert_many(std::vector<Comment> comments);
  Awaitable<Result<std::string>> cursor_keys(std::string fresh);

 private:
  struct Batches;

  // See Commits. Finds the parts of the lists into which the comments go.
  Awaitable<Result<Outcome>> commit(std::vector<CommentWrite> writes, std::optional<Item> key = {},
                                    std::uint64_t now_s = 0);
  Awaitable<Result<Item>> read(const Ulid& id);
  Awaitable<Result<std::string>> insert_once(Comment comment, RequestKey once);
  Awaitable<Result<bool>> take(Item key, std::uint64_t now_s);
  Awaitable<Result<std::string>> settle(Item key, Comment comment);
  Awaitable<std::optional<Result<std::string>>> first_answer(const Item& key, std::uint64_t now_s);
  Awaitable<Result<std::optional<Item>>> forget_key(const Item& item, const Ulid& id);
  Awaitable<void> remember_key(const std::optional<Item>& key);
  Awaitable<Result<std::optional<Item>>> open_reports(const Ulid& id);
  Awaitable<void> close_reports(const std::optional<Item>& open);
  Awaitable<Status> forget_reports(const Ulid& id);
  // Whether the report is kept. False: others came between, so it must be tried again. `open`: the
  // reports wait for a moderator from then on.
  Awaitable<Result<bool>> keep(const Ulid& id, const Report& report, bool open, std::size_t& kept);
  Awaitable<Status> lane(Batches& batches);

  Client& client_;
  Commits& commits_;
  KnownParts& parts_;
};

}  // namespace quire::dynamodb
