#include "page_index/redis/ranks.h"

#include <algorithm>
#include <optional>

#include "base/try.h"
#include "model/facets.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

using Kind = Reply::Kind;

// How many keys a list is kept under.
std::size_t width(const Cell& list) {
  return list[rating_facet] == any ? rating_count : 1;
}

// The numbers of the keys of each list, added up.
Result<std::vector<std::uint64_t>> sums(std::span<const Reply> replies,
                                        std::span<const Cell> lists) {
  std::vector<std::uint64_t> out;
  for (const auto& list : lists) {
    std::uint64_t sum = 0;
    if (replies.size() < width(list)) return unexpected_answer();
    for (const auto& reply : replies.first(width(list))) {
      if (!reply.is(Kind::number) || reply.number < 0) return unexpected_answer();
      sum += static_cast<std::uint64_t>(reply.number);
    }
    replies = replies.subspan(width(list));
    out.push_back(sum);
  }
  if (!replies.empty()) return unexpected_answer();
  return out;
}

std::optional<std::vector<Ulid>> ids(const Reply& reply) {
  if (!reply.is(Kind::bytes) || reply.bytes.size() % Ulid::size != 0) return {};
  std::vector<Ulid> out(reply.bytes.size() / Ulid::size);
  for (std::size_t i = 0; i < out.size(); ++i)
    std::copy_n(reply.bytes.begin() + static_cast<std::ptrdiff_t>(i * Ulid::size), Ulid::size,
                out[i].bytes.begin());
  return out;
}

// Ids of several lists, and how many of them to skip when they are sorted.
struct Candidates {
  std::vector<Ulid> ids;
  std::size_t skip;
};

std::optional<Candidates> found_of(const Reply& reply) {
  if (reply.list.size() != 2 || !reply.list[0].is(Kind::number)) return {};
  auto all = ids(reply.list[1]);
  auto skip = static_cast<std::uint64_t>(reply.list[0].number);  // a negative one is too large
  if (!all || skip > all->size()) return {};
  return Candidates{std::move(*all), skip};
}

// Redis takes ranks of 63 bits. A negative one counts from the end.
std::string rank_text(std::uint64_t rank) {
  return std::to_string(std::min<std::uint64_t>(rank, INT64_MAX));
}

}  // namespace

std::vector<std::string> RedisRanks::keys_of(std::string_view product,
                                             std::span<const Cell> lists) const {
  auto bucket = keys_.bucket(bucket_of(product));
  std::vector<std::string> keys;
  for (const auto& list : lists) {
    auto all = bucket.lists(list_key(product, {list[language_facet], any}));
    auto rating = list[rating_facet];
    if (rating == any)
      keys.insert(keys.end(), all.begin(), all.end());
    else
      keys.push_back(all.at(static_cast<std::size_t>(rating) - 1));
  }
  return keys;
}

Awaitable<Result<Reply>> RedisRanks::ask(const Script& script, std::string_view product,
                                         std::span<const Cell> lists,
                                         std::vector<std::string> arguments) {
  Call call{script, keys_of(product, lists), std::move(arguments)};
  return ask_(bucket_of(product), std::move(call));
}

Awaitable<Result<std::vector<std::uint64_t>>> RedisRanks::lengths(std::string_view product,
                                                                  std::span<const Cell> lists) {
  std::vector<std::string> none;
  CO_TRY(auto reply, co_await ask(list_scripts().lengths, product, lists, std::move(none)));
  co_return sums(reply.list, lists);
}

Awaitable<Result<std::vector<std::vector<Ulid>>>> RedisRanks::slices(
    std::string_view product, std::span<const RankRange> ranges) {
  std::vector<Cell> lists;
  std::vector<std::string> arguments;
  for (const auto& [list, from, count] : ranges) {
    lists.push_back(list);
    arguments.push_back(std::to_string(width(list)));
    arguments.push_back(rank_text(from));
    arguments.push_back(rank_text(count));
  }
  CO_TRY(auto reply, co_await ask(list_scripts().slices, product, lists, std::move(arguments)));
  if (reply.list.size() != ranges.size()) co_return unexpected_answer();
  std::vector<std::vector<Ulid>> slices;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto found = found_of(reply.list[i]);
    if (!found) co_return unexpected_answer();
    std::sort(found->ids.begin(), found->ids.end());
    auto count = std::min(found->ids.size() - found->skip, ranges[i].count);
    auto first = found->ids.begin() + static_cast<std::ptrdiff_t>(found->skip);
    slices.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
  }
  co_return slices;
}

Awaitable<Result<std::vector<std::uint64_t>>> RedisRanks::ranks(std::string_view product,
                                                                std::span<const Cell> lists,
                                                                const Ulid& id) {
  std::vector<std::string> arguments(1, std::string(id.view()));
  CO_TRY(auto reply, co_await ask(list_scripts().ranks, product, lists, std::move(arguments)));
  co_return sums(reply.list, lists);
}

Awaitable<Result<Ulid>> RedisRanks::nth_of_union(std::string_view product,
                                                 std::span<const Cell> lists, std::uint64_t,
                                                 std::uint64_t n) {
  std::vector<std::string> arguments(1, rank_text(n));
  CO_TRY(auto reply,
         co_await ask(list_scripts().nth_of_union, product, lists, std::move(arguments)));
  if (reply.is(Kind::nothing)) co_return changes_too_fast();  // the union is not so long
  auto found = found_of(reply);
  if (!found || found->skip == found->ids.size()) co_return unexpected_answer();
  auto at = found->ids.begin() + static_cast<std::ptrdiff_t>(found->skip);
  std::nth_element(found->ids.begin(), at, found->ids.end());
  co_return *at;
}

}  // namespace quire::redis
