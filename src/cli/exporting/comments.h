// The comments of an export, in their order, given to what writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loop/awaitable.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "quire/ulid.h"
#include "store/moderation_view.h"
#include "store/store.h"

namespace quire::cli {

// Which comments. The whole store also has the ids of comments that were removed.
struct ExportWish {
  std::string product = {};                  // empty: of all
  std::uint64_t since_ms = 0;                // comments of this time or later, since 1970
  std::optional<CommentStatus> status = {};  // absent: of any
  bool oldest_first = true;                  // the order in which the store is scanned

  bool takes(CommentStatus each) const { return !status || *status == each; }
  bool is_whole() const { return product.empty() && since_ms == 0 && !status; }
};

class ExportOutput {
 public:
  virtual ~ExportOutput() = default;

  // A published comment on which no moderator has decided. False: it cannot be read.
  virtual bool document(std::string_view document) = 0;
  virtual void comment(const Comment& comment) = 0;
  virtual void report(const Ulid& comment, const Report& report) = 0;
  virtual void removed(const Ulid& id) = 0;
  // Whether all was written so far.
  virtual bool whole() const = 0;
};

// Gives all that is wished for to `out`. Says on standard error what is missing, because it is
// damaged. The exit status; `failed`: `out` could not write all.
Awaitable<Result<int>> export_comments(Store& store, ExportWish wish, ExportOutput& out);

}  // namespace quire::cli
