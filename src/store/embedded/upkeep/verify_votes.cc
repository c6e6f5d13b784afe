#include "store/embedded/upkeep/verify_votes.h"

#include <fmt/format.h>

#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/format/vote_rows.h"

namespace quire::embedded {
namespace {

class VotesVerifier {
 public:
  VotesVerifier(const Databases& databases, const lmdb::Transaction& txn,
                const std::function<void(std::string)>& report)
      : db_(databases), txn_(txn), report_(report) {}

  // The votes of a comment lie together.
  void run() {
    std::optional<Ulid> id;
    VoteCounts votes;
    lmdb::Cursor cursor(txn_, db_.votes);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      auto row = lmdb::unsealed(db_.votes.seed, cursor.key(), cursor.value());
      auto vote = row ? decode_vote(cursor.key(), *row) : std::nullopt;
      if (!vote) {
        report_("a vote is damaged");
        continue;
      }
      auto comment = vote_comment(cursor.key());
      if (id && *id != comment) check(*id, std::exchange(votes, {}));
      id = comment;
      ++votes.of(*vote);
      ++votes_;
      if (!txn_.find(db_.voters, voter_key(vote_customer(cursor.key()), comment)))
        report_(fmt::format("a vote on comment {} is not among its customer's", comment.text()));
    }
    if (id) check(*id, votes);
    if (txn_.entries(db_.voters) != votes_) report_("a customer has a vote that is gone");
    if (txn_.entries(db_.unvoted.dbi) != voted_)
      report_("a comment is kept as one with votes, and has none");
  }

 private:
  void check(const Ulid& id, const VoteCounts& votes) {
    if (txn_.find(db_.unswept, id.view())) return;  // the comment was removed
    auto comment = find(id);
    if (!comment)
      return report_(fmt::format("comment {} is gone, and votes on it are not", id.text()));
    auto bytes = txn_.find(db_.unvoted.dbi, id.view());
    voted_ += bytes.has_value();
    auto row = bytes ? lmdb::unsealed(db_.unvoted.seed, id.view(), *bytes) : std::nullopt;
    auto before = row ? decode_tally(*row) : std::nullopt;
    if (before && tally_of(comment->attributes) == counted(*before, votes)) return;
    report_(fmt::format("comment {} has {} helpful and {} unhelpful votes, and counts others",
                        id.text(), votes.helpful, votes.unhelpful));
  }

  std::optional<Comment> find(const Ulid& id) const {
    if (auto held = find_held(txn_, db_, id))
      return *held ? std::optional(std::move(**held)) : std::nullopt;
    auto product = txn_.find(db_.ids.dbi, id.view());
    if (!product || product->size() < 4) return {};
    auto document = find_document(txn_, db_, get_u32(product->data()), id);
    return document ? decode_document(*document) : std::nullopt;
  }

  const Databases& db_;
  const lmdb::Transaction& txn_;
  const std::function<void(std::string)>& report_;
  std::uint64_t votes_ = 0, voted_ = 0;  // rows, and comments that have any
};

}  // namespace

void verify_votes(const Databases& databases, const lmdb::Transaction& txn,
                  const std::function<void(std::string)>& report) {
  VotesVerifier(databases, txn, report).run();
}

}  // namespace quire::embedded
