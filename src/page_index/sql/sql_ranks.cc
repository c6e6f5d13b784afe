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

Awaitable<Result<std::vector<std::uint64_t>>> SqlRanks::ranks(std::string_view product,
                                                              std::span<const Cell> lists,
                                                              const Ulid& id) {
  return ask<std::vector<std::uint64_t>>(
      product, [lists = own(lists), id](ListReader& reader) { return reader.ranks(lists, id); });
}

Awaitable<Result<Ulid>> SqlRanks::nth_of_union(std::string_view product,
                                               std::span<const Cell> lists, std::uint64_t length,
                                               std::uint64_t n) {
  return ask<Ulid>(product, [lists = own(lists), length, n](ListReader& reader) {
    auto id = reader.nth_of_union(lists, length, n);
    if (!id) throw Unusable(changes_too_fast().message);
    return *id;
  });
}

}  // namespace quire::sql
