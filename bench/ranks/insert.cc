// The work of the writer's thread for one posted comment, without the sync: the comment, its id,
// its place in the bitmap index, the counts and the leaders.
#include <fmt/core.h>

#include <random>

#include "commands.h"
#include "ids.h"
#include "must.h"
#include "store/embedded/databases.h"
#include "store/embedded/edit.h"
#include "times.h"

namespace quire::bench {
namespace {

Comment comment_at(std::uint64_t ms, std::mt19937_64& random) {
  constexpr const char* languages[] = {"en", "en", "en", "en", "de", "de", "fr", "es", "ja"};
  constexpr int ratings[] = {5, 5, 5, 5, 5, 5, 4, 4, 3, 2, 1};
  return {.id = random_id(ms, random),
          .product = "product-1",
          .language = languages[random() % std::size(languages)],
          .rating = ratings[random() % std::size(ratings)],
          .author = "reader",
          .title = "Fits",
          .text = "I use it every day, as others do."};
}

// Puts the comments one by one in one transaction, and aborts it.
template <class Moment>
std::string insert(const embedded::Databases& databases, std::uint64_t comments, Moment moment) {
  lmdb::WriteTransaction txn(*databases.environment);
  embedded::Edit edit(databases, txn);
  std::mt19937_64 random(5);
  Times times;
  for (std::uint64_t i = 0; i < comments; ++i) {
    auto comment = comment_at(moment(i, random), random);
    auto begun = Clock::now();
    auto document = edit.insert(comment, {}, {});
    edit.finish();
    times.add(begun);
    must(std::move(document));
  }
  return times.json();
}

}  // namespace

void measure_inserts(const std::string& directory, std::uint64_t comments) {
  auto databases = must(embedded::open_databases(directory, Access::write));
  auto newest = [](std::uint64_t i, auto&) { return last_ms + i; };
  auto anywhere = [](std::uint64_t, auto& random) {
    return first_ms + random() % (last_ms - first_ms);
  };
  insert(*databases, comments, newest);  // warms up
  fmt::print(R"({{"newest":{},"anywhere":{}}})", insert(*databases, comments, newest),
             insert(*databases, comments, anywhere));
}

}  // namespace quire::bench
