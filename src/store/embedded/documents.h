// Finds comments and their documents, and writes the documents of many new comments.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lmdb/cursor.h"
#include "lmdb/environment.h"
#include "model/entry.h"
#include "model/moderation.h"
#include "quire/comment.h"
#include "store/embedded/databases.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

// The product of a comment. Absent: there is no such comment. Throws lmdb::Damaged.
std::optional<ProductNumber> find_product(const lmdb::Transaction& txn, const Databases& databases,
                                          const Ulid& id);
// The document of a comment. Absent: it is missing, or it or its page is damaged.
std::optional<std::string_view> find_document(const lmdb::Transaction& txn,
                                              const Databases& databases, ProductNumber product,
                                              const Ulid& id);
// A comment of any status. Absent: it is missing, or it or its page is damaged. Throws
// lmdb::Damaged where a page of the ids is. A published one comes without its decision.
std::optional<Comment> find_comment(const lmdb::Transaction& txn, const Databases& databases,
                                    const Ulid& id);
// The comment under a cursor of the comments. Absent: its key or document is damaged, or they
// belong to different comments.
std::optional<Comment> read_comment(const lmdb::Sealed& comments, const lmdb::Cursor& cursor);

// The comments of one product that are put into an index together. Absent: it is damaged.
struct Piece {
  static constexpr std::size_t max_comments = 500;

  std::optional<Key<20>> last = {};  // the key of the last comment; absent: there are no more
  ProductNumber product = 0;
  std::vector<std::pair<Ulid, std::optional<Comment>>> comments = {};
};
// The next piece in the order of keys, behind this key; empty: from the beginning.
Piece read_piece(lmdb::Cursor& cursor, const lmdb::Sealed& comments, std::string_view behind);

// Puts the cursor on the first entry under `prefix`, of at most 16 bytes, that is strictly after
// `after` in `order`; its key is the prefix and an id. False: there is none, or the cursor stands
// on an entry of another prefix. In view.cc.
bool start_at(lmdb::Cursor& cursor, std::string_view prefix, Order order,
              const std::optional<Ulid>& after);
// How many comments the store has, by its own counts: the lower one, as one may be damaged.
std::uint64_t counted_comments(const Databases& databases, const lmdb::Transaction& txn);

// The database of the comments of a status that is not published. In moderation.cc, as are those
// below.
const lmdb::Sealed& held_in(const Tables& tables, CommentStatus status);
// A comment that is not published, with its whole moderation. Absent: there is none. damaged: it
// is.
std::optional<Result<Comment>> find_held(const lmdb::Transaction& txn, const Tables& tables,
                                         const Ulid& id);
// The comment under a cursor of such a database. Absent: its key or document is damaged, or it has
// another status.
std::optional<Comment> read_held(const lmdb::Sealed& database, const lmdb::Cursor& cursor,
                                 CommentStatus status);
// The reports of a comment, oldest first. Throws lmdb::Damaged.
std::vector<Report> reports_of(const lmdb::Transaction& txn, const Tables& tables, const Ulid& id);
// A report under its key, as it lies in the database. Absent: it is damaged.
std::optional<Report> read_report(const Tables& tables, std::string_view key,
                                  std::string_view sealed);

// Comments that others keep, sorted by id.
using SortedComments = std::vector<const Comment*>;
SortedComments sorted_by_id(const std::vector<Comment>& comments);

}  // namespace quire::embedded
