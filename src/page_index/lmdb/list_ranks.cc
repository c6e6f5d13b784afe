#include "page_index/lmdb/list_ranks.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "bitmap_index/reading/matches.h"
#include "page_index/search.h"
#include "page_index/union.h"

namespace quire::page_index {
namespace {

using bitmap_index::Matches;
using bitmap_index::Selection;
using bitmap_index::Source;
using Lists = std::vector<std::unique_ptr<Matches>>;

// The ids in the lists of these languages and ratings; `any` alone stands for all.
struct ListBlock {
  std::set<FacetValue> languages, ratings;
};

Selection selection_of(const Source& source, const ListBlock& block) {
  Selection selection;
  if (!block.languages.contains(any)) {
    bitmap_index::Term term{language_number};
    for (auto value : block.languages) {
      auto text = list_facets[language_facet].text(value);
      term.any_of.push_back(bitmap_index::code_of_text(source.hash_key, text));
    }
    std::sort(term.any_of.begin(), term.any_of.end());
    selection.terms.push_back(std::move(term));
  }
  if (!block.ratings.contains(any)) {
    bitmap_index::Term term{rating_number};
    for (auto value : block.ratings)
      term.any_of.push_back(bitmap_index::encode_number(static_cast<std::int64_t>(value)).code);
    selection.terms.push_back(std::move(term));
  }
  return selection;
}

std::unique_ptr<Matches> matches_of(const Source& source, const ListBlock& block) {
  bitmap_index::Question question{selection_of(source, block), Sort::oldest};
  return std::make_unique<Matches>(*source.reader, std::move(question),
                                   bitmap_index::Keeping{source.kept, source.generation});
}

ListBlock block_of(const Cell& list) {
  return {{list[language_facet]}, {list[rating_facet]}};
}

// A matches for each list; none where the product has no comments.
Lists matches_of(const Source& source, std::span<const Cell> lists) {
  Lists out;
  for (const auto& list : lists)
    out.push_back(source.reader ? matches_of(source, block_of(list)) : nullptr);
  return out;
}

// The lists of a plan are mostly all pairs of some languages and some ratings: one selection
// instead of many. In general, the languages with the same ratings are one.
std::vector<ListBlock> joined(std::span<const Cell> lists) {
  std::map<FacetValue, std::set<FacetValue>> ratings;  // by language
  for (const auto& list : lists) ratings[list[language_facet]].insert(list[rating_facet]);
  std::map<std::set<FacetValue>, std::set<FacetValue>> languages;  // by their ratings
  for (const auto& [language, its] : ratings) languages[its].insert(language);
  std::vector<ListBlock> blocks;
  for (auto& [its, all] : languages) blocks.push_back({std::move(all), its});
  return blocks;
}

Awaitable<std::vector<Ulid>> slice(Matches& matches, std::uint64_t from, std::size_t count) {
  std::vector<Ulid> ids;
  std::optional<Position> before;
  if (from > 0) before = co_await matches.at(from - 1);
  if ((from > 0 && !before) || count == 0) co_return ids;
  auto found = co_await matches.read(before, /*backward=*/false, count);
  for (const auto& position : found) ids.push_back(position.id);
  co_return ids;
}

Awaitable<std::vector<std::uint64_t>> ranks_in(const Lists& lists, Ulid id) {
  std::vector<std::uint64_t> ranks;
  for (const auto& list : lists) {
    std::uint64_t rank = 0;
    if (list) rank = co_await list->rank(Position{id});
    ranks.push_back(rank);
  }
  co_return ranks;
}

// The pivots that are there, with their ranks.
Awaitable<std::vector<Probe>> probes_in(const Lists& lists, std::span<const Pivot> pivots) {
  std::vector<Probe> probes;
  for (const auto& pivot : pivots) {
    auto id = pivot.id;
    if (!id && lists[pivot.list]) {
      auto position = co_await lists[pivot.list]->at(pivot.n);
      if (position) id = position->id;
    }
    if (!id) continue;
    auto ranks = co_await ranks_in(lists, *id);
    probes.push_back({*id, std::move(ranks)});
  }
  co_return probes;
}

Awaitable<std::vector<std::uint64_t>> lengths_of(const Lists& lists) {
  std::vector<std::uint64_t> lengths;
  for (const auto& list : lists) {
    std::uint64_t length = 0;
    if (list) length = co_await list->total();
    lengths.push_back(length);
  }
  co_return lengths;
}

// A snapshot stands still, so the search ends; it is lost only where there are not so many ids.
Awaitable<Result<FoundNth>> search(const Lists& lists, std::uint64_t n) {
  auto lengths = co_await lengths_of(lists);
  UnionSearch search(lengths, n);
  int rounds = 0;
  for (; !search.lost() && !search.narrow() && !search.found(); ++rounds) {
    auto pivots = search.pivots();
    auto probes = co_await probes_in(lists, pivots);
    search.feed(pivots, probes);
  }
  if (search.found()) co_return FoundNth{*search.found(), rounds};
  if (search.lost()) co_return changes_too_fast();
  std::vector<std::vector<Ulid>> ids;
  for (const auto& [list, from, count] : search.rest()) {
    auto some = co_await slice(*lists[list], from, count);
    ids.push_back(std::move(some));
  }
  auto id = search.finish(ids);
  if (!id) throw lmdb::Damaged("the lists contradict each other");
  co_return FoundNth{*id, rounds + 1};
}

}  // namespace

Awaitable<Result<std::vector<std::uint64_t>>> ListRanks::lengths(std::string_view product,
                                                                 std::span<const Cell> lists) {
  auto source = snapshot_.bitmaps(product);
  auto matches = matches_of(source, lists);
  co_return co_await lengths_of(matches);
}

Awaitable<Result<std::vector<std::vector<Ulid>>>> ListRanks::slices(
    std::string_view product, std::span<const RankRange> ranges) {
  auto source = snapshot_.bitmaps(product);
  std::vector<std::vector<Ulid>> slices;
  for (const auto& [list, from, count] : ranges) {
    auto matches = source.reader ? matches_of(source, block_of(list)) : nullptr;
    std::vector<Ulid> ids;
    if (matches) ids = co_await slice(*matches, from, count);
    slices.push_back(std::move(ids));
  }
  co_return slices;
}

Awaitable<Result<std::vector<Probe>>> ListRanks::probe(std::string_view product,
                                                       std::span<const Cell> lists,
                                                       std::span<const Pivot> pivots) {
  auto source = snapshot_.bitmaps(product);
  auto matches = matches_of(source, lists);
  co_return co_await probes_in(matches, pivots);
}

Awaitable<Result<FoundNth>> ListRanks::nth_of_union(std::string_view product,
                                                    std::span<const Cell> lists,
                                                    std::span<const std::uint64_t>,
                                                    std::uint64_t n) {
  auto source = snapshot_.bitmaps(product);
  Lists all;
  for (const auto& block : joined(lists)) {
    if (source.reader) all.push_back(matches_of(source, block));
  }
  if (all.size() != 1) co_return co_await search(all, n);
  auto position = co_await all.front()->at(n);
  if (!position) co_return changes_too_fast();
  co_return FoundNth{position->id, 1};
}

}  // namespace quire::page_index
