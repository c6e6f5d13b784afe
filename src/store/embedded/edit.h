// Changes comments within one write transaction: comment, lists and counts change together.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quire/comment.h"
#include "quire/result.h"
#include "store/embedded/databases.h"
#include "store/embedded/format.h"
#include "store/store.h"

namespace quire::embedded {

// Each function either succeeds, or returns an error and changes nothing. After an exception the
// caller must abort the transaction: lmdb::Failure, or another std::exception where the store is
// damaged.
class Edit {
 public:
  Edit(const Databases& databases, lmdb::WriteTransaction& txn) : db_(databases), txn_(txn) {}

  Result<std::string> insert(const Comment& comment, const std::optional<RequestKey>& once);
  Result<Edited> update(const Ulid& id, const Patch& patch, const Condition& condition);
  Result<std::string> remove(const Ulid& id, const Condition& condition);
  // Inserts the comments whose ids are new, and returns their number. Reorders `comments`. In
  // bulk.cc.
  Result<std::size_t> insert_many(std::vector<Comment>& comments);

  struct Rebuilt {
    std::size_t comments = 0;
    // The comments that cannot be read, or share their id with another comment. They moved to the
    // database `damaged`.
    std::vector<std::string> set_aside;
  };
  // Rebuilds everything but the comments from the comments. In repair.cc.
  Rebuilt rebuild();

 private:
  struct Found {
    Block product;
    std::string document;
    Comment comment;
  };

  Result<Found> find(const Ulid& id, const Condition& condition) const;
  ProductRow product(std::string_view name);
  LanguageRow& language(ProductRow& product, FacetValue language);
  Block next_block();
  void put_product(const std::string& name, const ProductRow& before, const ProductRow& after);
  void put_leaders(const std::string& name, FacetValue language, const RatingCounts& before,
                   const RatingCounts& after);
  // Moves an id from the lists of the cell `from` to the lists of the cell `to`. Either may be
  // absent.
  void move(const ProductRow& product, const Ulid& id, const std::optional<Cell>& from,
            const std::optional<Cell>& to);
  using Products = std::map<std::string, ProductRow, std::less<>>;
  // Writes ids, lists, counts and leaders of comments that have none yet. The comments are sorted
  // by id within each product. Returns the new rows of their products.
  Products index(std::span<const Comment> comments);
  void set_twins_aside(std::vector<Comment>& comments,
                       const std::map<std::string, ProductRow>& rows, Rebuilt& rebuilt);
  std::string set_aside(std::string_view key);
  using ListEntry = std::pair<std::uint32_t, Ulid>;
  void enlist(std::vector<ListEntry> entries);
  std::span<const Comment> absent(std::vector<Comment>& comments);
  void reindex(const std::map<std::string, ProductRow>& rows, Rebuilt& rebuilt);
  void rebuild_requests();

  std::optional<Result<std::string>> first_answer(const RequestKey& once) const;
  void remember(const RequestKey& once, const Ulid& id, const std::string& document);
  void forget(std::string_view key);  // of a request; does nothing if the key is unknown
  void forget_request_of(const Ulid& id);
  void forget_expired(std::uint64_t now_ms);

  const Databases& db_;
  lmdb::WriteTransaction& txn_;
};

// The four lists that hold a comment, in the order of `indexes`.
std::array<std::uint32_t, indexes.size()> lists_of(const ProductRow& product, const Cell& cell);

}  // namespace quire::embedded
