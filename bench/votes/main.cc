// The work of the writer's thread for votes of customers, without the sync: the row of the vote,
// the comment's count, and its place in the bitmap index. bench/run votes calls this, and reads the
// results.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "lmdb/cursor.h"
#include "must.h"
#include "store/embedded/databases.h"
#include "store/embedded/edit.h"

namespace quire::bench {
namespace {

constexpr std::size_t together = 64;  // as many as one transaction has of 64 clients

// In microseconds of the processor: other processes do not lengthen them.
template <class Work>
double time_of(Work work) {
  auto begun = std::clock();
  work();
  return static_cast<double>(std::clock() - begun) * 1e6 / CLOCKS_PER_SEC;
}

class Voting {
 public:
  explicit Voting(const embedded::Databases& databases) : databases_(databases) {
    lmdb::ReadTransaction txn(*databases.environment);
    for (const auto& entry : lmdb::Entries(txn, databases.comments.dbi))
      comments_.push_back(embedded::id_at_end(entry.key()));
  }

  // Any comments of the store.
  std::vector<Ulid> choose(std::size_t count) {
    std::vector<Ulid> ids;
    while (ids.size() < count) ids.push_back(comments_.at(random_() % comments_.size()));
    return ids;
  }

  // Each customer votes once, on one of the comments; `at_once` votes are in a transaction. The
  // mean time of a vote.
  double vote(std::span<const Ulid> ids, std::size_t at_once) {
    auto votes = static_cast<double>(ids.size());
    auto all = time_of([&] {
      for (; !ids.empty(); ids = ids.subspan(std::min(at_once, ids.size()))) {
        write([&](embedded::Edit& edit) {
          for (const auto& id : ids.first(std::min(at_once, ids.size())))
            must(edit.vote(id, customer(), random_() % 4 ? Vote::helpful : Vote::unhelpful));
        });
      }
    });
    return all / votes;
  }

  void remove(const Ulid& id) {
    write([&](embedded::Edit& edit) { must(edit.remove(id, {})); });
  }

  // Removes the votes of comments that were removed.
  void sweep() {
    for (bool left = true; left;) {
      write([&](embedded::Edit& edit) {
        int looks = 0;
        edit.sweep([&] { return looks++ == 10; });
        left = edit.upkeep_left().front();
      });
    }
  }

  // The pages of both databases of votes.
  double bytes() const {
    double sum = 0;
    lmdb::ReadTransaction txn(*databases_.environment);
    for (MDB_dbi dbi : {databases_.votes.dbi, databases_.voters}) {
      MDB_stat stat;
      lmdb::check("counting pages", mdb_stat(txn.get(), dbi, &stat));
      sum += static_cast<double>((stat.ms_leaf_pages + stat.ms_branch_pages) * stat.ms_psize);
    }
    return sum;
  }

 private:
  template <class Work>
  void write(Work work) {
    lmdb::WriteTransaction txn(*databases_.environment);
    embedded::Edit edit(databases_, txn);
    work(edit);
    edit.finish();
    txn.commit();
  }

  CustomerHash customer() {
    CustomerHash hash;
    for (auto& byte : hash.bytes) byte = static_cast<std::uint8_t>(random_());
    return hash;
  }

  const embedded::Databases& databases_;
  std::vector<Ulid> comments_;
  std::mt19937_64 random_{6};
};

// Votes on the comments of the store, which stay; then `crowd` votes on one of them, which is
// removed at last.
void measure(const std::string& directory, std::size_t votes, std::size_t crowd) {
  auto databases = must(embedded::open_databases(directory, Access::write));
  lmdb::check("setting", mdb_env_set_flags(databases->environment->get(), MDB_NOSYNC, 1));
  Voting voting(*databases);
  voting.vote(voting.choose(votes), together);  // warms up
  auto alone = voting.vote(voting.choose(votes), 1);
  auto in_groups = voting.vote(voting.choose(votes), together);
  auto popular = voting.choose(1).front();
  auto before = voting.bytes();
  voting.vote(std::vector(crowd, popular), together);
  auto bytes = (voting.bytes() - before) / static_cast<double>(crowd);
  auto on_popular = voting.vote(std::vector(votes, popular), 1);
  voting.remove(popular);
  auto swept = time_of([&] { voting.sweep(); }) / static_cast<double>(crowd + votes);
  fmt::print(R"({{"alone":{:.3f},"together":{:.3f},"crowd":{:.3f},"bytes":{:.1f},"swept":{:.3f}}})",
             alone, in_groups, on_popular, bytes, swept);
}

}  // namespace
}  // namespace quire::bench

int main(int argc, char** argv) try {
  if (argc != 4) {
    fmt::print(stderr, "quire_votes STORE VOTES CROWD\n");
    return 2;
  }
  quire::bench::measure(argv[1], std::stoull(argv[2]), std::stoull(argv[3]));
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
