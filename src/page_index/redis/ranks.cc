#include "page_index/redis/ranks.h"

#include <algorithm>

#include "page_index/redis/errors.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

using Kind = Reply::Kind;

std::optional<std::vector<std::uint64_t>> numbers(std::span<const Reply> replies) {
  std::vector<std::uint64_t> out;
  for (const auto& reply : replies) {
    if (!reply.is(Kind::number) || reply.number < 0) return {};
    out.push_back(static_cast<std::uint64_t>(reply.number));
  }
  return out;
}

Result<std::vector<std::uint64_t>> numbers(const Reply& reply, std::size_t wanted) {
  auto found = numbers(reply.list);
  if (!found || found->size() != wanted) return unexpected_answer();
  return *found;
}

std::optional<std::vector<Ulid>> ids(const Reply& reply) {
  if (!reply.is(Kind::bytes) || reply.bytes.size() % Ulid::size != 0) return {};
  std::vector<Ulid> out(reply.bytes.size() / Ulid::size);
  for (std::size_t i = 0; i < out.size(); ++i)
    std::copy_n(reply.bytes.begin() + static_cast<std::ptrdiff_t>(i * Ulid::size), Ulid::size,
                out[i].bytes.begin());
  return out;
}

Result<Probe> probe_of(const Reply& reply, std::size_t lists) {
  if (reply.list.size() != lists + 1) return unexpected_answer();
  auto id = ids(reply.list.front());
  auto ranks = numbers(std::span(reply.list).subspan(1));
  if (!id || id->size() != 1 || !ranks) return unexpected_answer();
  return Probe{id->front(), *ranks};
}

// Redis takes ranks of 63 bits. A negative one counts from the end.
std::string rank_text(std::uint64_t rank) {
  return std::to_string(std::min<std::uint64_t>(rank, INT64_MAX));
}

}  // namespace

Call RedisRanks::call_of(const Script& script, std::string_view product,
                         std::span<const Cell> lists) const {
  Call call{script, {}};
  for (const auto& list : lists) call.keys.push_back(keys_.list(product, list));
  return call;
}

Awaitable<Result<std::vector<std::uint64_t>>> RedisRanks::lengths(std::string_view product,
                                                                  std::span<const Cell> lists) {
  auto reply = co_await ask_(call_of(list_scripts().lengths, product, lists));
  if (!reply) co_return reply.error();
  co_return numbers(*reply, lists.size());
}

Awaitable<Result<std::vector<std::vector<Ulid>>>> RedisRanks::slices(
    std::string_view product, std::span<const RankRange> ranges) {
  Call call{list_scripts().slices, {}};
  for (const auto& [list, from, count] : ranges) {
    call.keys.push_back(keys_.list(product, list));
    bool none = count == 0;
    call.arguments.push_back(none ? "1" : rank_text(from));
    call.arguments.push_back(none ? "0" : rank_text(from + std::min(count - 1, UINT64_MAX - from)));
  }
  auto reply = co_await ask_(std::move(call));
  if (!reply) co_return reply.error();
  if (reply->list.size() != ranges.size()) co_return unexpected_answer();
  std::vector<std::vector<Ulid>> slices;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto slice = ids(reply->list[i]);
    if (!slice || slice->size() > ranges[i].count) co_return unexpected_answer();
    slices.push_back(std::move(*slice));
  }
  co_return slices;
}

Awaitable<Result<std::vector<Probe>>> RedisRanks::probe(std::string_view product,
                                                        std::span<const Cell> lists,
                                                        std::span<const Pivot> pivots) {
  auto call = call_of(list_scripts().probe, product, lists);
  for (const auto& pivot : pivots) {
    call.arguments.push_back(pivot.id ? "0" : std::to_string(pivot.list + 1));
    call.arguments.push_back(pivot.id ? std::string(pivot.id->view()) : rank_text(pivot.n));
  }
  auto reply = co_await ask_(std::move(call));
  if (!reply) co_return reply.error();
  if (reply->list.size() > pivots.size()) co_return unexpected_answer();
  std::vector<Probe> probes;
  for (const auto& each : reply->list) {
    auto probe = probe_of(each, lists.size());
    if (!probe) co_return probe.error();
    probes.push_back(std::move(*probe));
  }
  co_return probes;
}

Awaitable<Result<FoundNth>> RedisRanks::nth_of_union(std::string_view product,
                                                     std::span<const Cell> lists,
                                                     std::span<const std::uint64_t>,
                                                     std::uint64_t n) {
  auto call = call_of(list_scripts().nth_of_union, product, lists);
  call.arguments.push_back(std::to_string(n));
  auto reply = co_await ask_(std::move(call));
  if (!reply) co_return reply.error();
  if (reply->is(Kind::nothing)) {
    co_return unavailable("The page index changes too fast to number this page. Try again.");
  }
  if (reply->list.size() != 2) co_return unexpected_answer();
  auto skip = numbers(std::span(reply->list).first(1));
  auto left = ids(reply->list[1]);
  if (!skip || !left || skip->front() >= left->size()) co_return unexpected_answer();
  auto nth = left->begin() + static_cast<std::ptrdiff_t>(skip->front());
  std::nth_element(left->begin(), nth, left->end());
  co_return FoundNth{*nth, 1};
}

}  // namespace quire::redis
