#include "store/embedded/upkeep/verify_votes.h"

#include <fmt/format.h>

#include "store/embedded/documents.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {
namespace {

class VotesVerifier {
 public:
  VotesVerifier(const Databases& databases, const lmdb::Transaction& txn,
                const std::function<void(std::string)>& report)
      : db_(databases), txn_(txn), report_(report) {}

  // The rows of a comment lie together.
  void run() {
    std::optional<Ulid> id;
    for (const auto& entry : lmdb::Entries(txn_, db_.votes)) {
      if (entry.key().size() < Ulid::size) {
        report_("a vote is damaged");
        continue;
      }
      auto comment = vote_comment(entry.key());
      if (id && *id != comment) check(*id, std::exchange(rows_, {}));
      id = comment;
      take(comment, entry.key(), lmdb::unsealed(db_.votes.seed, entry.key(), entry.value()));
    }
    if (id) check(*id, rows_);
    if (txn_.entries(db_.voters) != votes_) report_("a customer has a vote that is gone");
  }

 private:
  struct Rows {
    std::optional<Tally> before;
    VoteCounts votes;
  };

  void take(const Ulid& comment, std::string_view key, std::optional<std::string_view> row) {
    auto vote = row ? decode_vote(key, *row) : std::nullopt;
    auto before = row && key.size() == Ulid::size ? decode_tally(*row) : std::nullopt;
    if (before) rows_.before = before;
    if (!vote && !before) report_("a vote is damaged");
    if (!vote) return;
    ++rows_.votes.of(*vote);
    ++votes_;
    if (!txn_.find(db_.voters, voter_key(vote_customer(key), comment)))
      report_(fmt::format("a vote on comment {} is not among its customer's", comment.text()));
  }

  void check(const Ulid& id, const Rows& rows) {
    if (txn_.find(db_.unswept, id.view())) return;  // the comment was removed
    auto comment = find_comment(txn_, db_, id);
    if (!comment)
      return report_(fmt::format("comment {} is gone, and votes on it are not", id.text()));
    const auto& [before, votes] = rows;
    if (before && votes.none()) return report_("a comment is kept as one with votes, and has none");
    if (before && tally_of(comment->attributes) == counted(*before, votes)) return;
    report_(fmt::format("comment {} has {} helpful and {} unhelpful votes, and counts others",
                        id.text(), votes.helpful, votes.unhelpful));
  }

  const Databases& db_;
  const lmdb::Transaction& txn_;
  const std::function<void(std::string)>& report_;
  Rows rows_;                // of the comment at hand
  std::uint64_t votes_ = 0;  // of all
};

}  // namespace

void verify_votes(const Databases& databases, const lmdb::Transaction& txn,
                  const std::function<void(std::string)>& report) {
  VotesVerifier(databases, txn, report).run();
}

}  // namespace quire::embedded
