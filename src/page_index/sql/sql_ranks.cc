#include "page_index/sql/sql_ranks.h"

#include "page_index/sql/list_reader.h"

namespace quire::sql {
namespace {

template <class T>
std::vector<T> own(std::span<const T> items) {
  return {items.begin(), items.end()};
}

}  // namespace

template <class T, class Question>
Awaitable<Result<T>> SqlRanks::ask(std::string_view product, Question question) {
  return pool_.run<T>([product = std::string(product),
                       question = std::move(question)](Connection& connection) -> T {
    ListReader reader(connection, product);
    return question(reader);
  });
}

Awaitable<Result<std::vector<std::uint64_t>>> SqlRanks::lengths(std::string_view product,
                                                                std::span<const Cell> lists) {
  return ask<std::vector<std::uint64_t>>(
      product, [lists = own(lists)](ListReader& reader) { return reader.lengths(lists); });
}

Awaitable<Result<std::vector<std::vector<Ulid>>>> SqlRanks::slices(
    std::string_view product, std::span<const RankRange> ranges) {
  return ask<std::vector<std::vector<Ulid>>>(
      product, [ranges = own(ranges)](ListReader& reader) { return reader.slices(ranges); });
}

Awaitable<Result<std::vector<Probe>>> SqlRanks::probe(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      std::span<const Pivot> pivots) {
  return ask<std::vector<Probe>>(product,
                                 [lists = own(lists), pivots = own(pivots)](ListReader& reader) {
                                   return reader.probe(lists, pivots);
                                 });
}

Awaitable<Result<FoundNth>> SqlRanks::nth_of_union(std::string_view product,
                                                   std::span<const Cell> lists,
                                                   std::span<const std::uint64_t> lengths,
                                                   std::uint64_t n) {
  return ask<FoundNth>(
      product, [lists = own(lists), lengths = own(lengths), n](ListReader& reader) {
        auto id = reader.nth_of_union(lists, lengths, n);
        if (!id) throw Unusable("The page index changes too fast to number this page. Try again.");
        return FoundNth{*id, 1};
      });
}

}  // namespace quire::sql
