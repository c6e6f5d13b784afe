// The work of the writer's thread for votes of customers, without the sync: the row of the vote,
// the comment's count, and its place in the bitmap index.
#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "commands.h"
#include "ids.h"
#include "must.h"
#include "store/embedded/databases.h"
#include "store/embedded/edit.h"
#include "times.h"

namespace quire::bench {
namespace {

constexpr std::uint64_t together = 64;  // as many as one transaction has of 64 clients

class Votes {
 public:
  explicit Votes(const embedded::Databases& databases) : databases_(databases) {}

  // Each customer votes once: `votes` votes, `at_once` in a transaction that is committed, on
  // comments that `choose()` gives.
  template <class Choose>
  std::string cast(std::uint64_t votes, std::uint64_t at_once, Choose choose) {
    Times times;
    while (votes > 0) {
      auto group = std::min(votes, at_once);
      std::vector<Ulid> ids;
      std::generate_n(std::back_inserter(ids), group, choose);
      auto begun = ThreadClock::now();
      write([&](embedded::Edit& edit) {
        for (const auto& id : ids)
          must(edit.vote(id, customer(), random_() % 4 ? Vote::helpful : Vote::unhelpful));
      });
      times.add(begun, group);
      votes -= group;
    }
    return times.json();
  }

  // A comment of any time.
  Ulid comment() {
    auto ms = first_ms + random_() % (last_ms - first_ms);
    lmdb::ReadTransaction txn(*databases_.environment);
    lmdb::Cursor comments(txn.get(), databases_.comments);
    if (!comments.seek(embedded::comment_key(0, random_id(ms, random_)), MDB_SET_RANGE))
      throw std::runtime_error("no comment is so young");
    return embedded::id_at_end(comments.key());
  }

  // Removes the comment, and sweeps its votes. The microseconds of both.
  std::pair<double, double> remove(const Ulid& id) {
    auto begun = ThreadClock::now();
    write([&](embedded::Edit& edit) { must(edit.remove(id, {})); });
    auto removed = seconds_since(begun);
    begun = ThreadClock::now();
    for (bool left = true; left;) {
      write([&](embedded::Edit& edit) {
        int looks = 0;
        edit.sweep([&] { return looks++ == 10; });
        left = edit.upkeep_left();
      });
    }
    return {removed * 1e6, seconds_since(begun) * 1e6};
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
  std::mt19937_64 random_{6};
};

}  // namespace

void measure_votes(const std::string& directory, std::uint64_t votes, std::uint64_t crowd) {
  auto databases = must(embedded::open_databases(directory, Access::write));
  lmdb::check("setting", mdb_env_set_flags(databases->environment->get(), MDB_NOSYNC, 1));
  Votes cast(*databases);
  auto any = [&] { return cast.comment(); };
  cast.cast(votes, together, any);  // warms up
  fmt::print(R"({{"alone":{},)", cast.cast(votes, 1, any));
  fmt::print(R"("together":{},)", cast.cast(votes, together, any));
  auto one = cast.comment();
  auto on_one = [&] { return one; };
  auto before = cast.bytes();
  cast.cast(crowd, together, on_one);
  auto bytes = (cast.bytes() - before) / static_cast<double>(crowd);
  auto after = cast.cast(votes, 1, on_one);
  auto [removed, swept] = cast.remove(one);
  fmt::print(
      R"("crowd":{{"votes":{},"bytes":{:.1f},"alone":{},"removed":{:.1f},"swept":{:.3f}}}}})",
      crowd, bytes, after, removed, swept / static_cast<double>(crowd + votes));
}

}  // namespace quire::bench
