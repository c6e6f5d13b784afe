// Opens the store that is read, and picks places in it.
#include "fixture.h"

#include <random>

#include "app/open.h"

namespace quire::bench {
namespace {

constexpr std::size_t spread = 1024;

// Comments are generated evenly in time, so random times between the first and the last lead to
// random comments.
std::vector<Ulid> random_places(View& view) {
  auto edge = [&](Order order) {
    return must(wait(view.comments(product, order, {}, 1))).entries.at(0).id;
  };
  auto first = edge(Order::oldest_first).ms();
  auto last = edge(Order::newest_first).ms();
  std::mt19937_64 random(1);
  std::vector<Ulid> places;
  while (places.size() < spread) {
    auto after = Ulid::make(first + 1 + random() % (last - first), {});
    auto slice = must(wait(view.comments(product, Order::newest_first, after, 1)));
    places.push_back(slice.entries.at(0).id);
  }
  return places;
}

}  // namespace

Fixture open_fixture(const std::string& directory) {
  auto store = must(open_store("lmdb:" + directory, Access::read)).store;
  auto view = store->view();
  auto counts = must(wait(view->counts(product)));
  if (counts.total() == 0) throw std::runtime_error(directory + " holds no comments of " + product);
  return {std::move(store), Seal({Seal::Key{1, 2, 3}}), std::move(counts), random_places(*view)};
}

}  // namespace quire::bench
