#include "page_index/lmdb/list_ranks.h"

#include <algorithm>
#include <set>

#include "base/ensure.h"
#include "base/try.h"
#include "bitmap_index/reading/matches.h"
#include "page_index/lmdb/snapshot.h"

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

// All pairs of some languages and some ratings are one selection.
ListBlock block_of(std::span<const Cell> lists) {
  ListBlock block;
  for (const auto& list : lists) {
    block.languages.insert(list[language_facet]);
    block.ratings.insert(list[rating_facet]);
  }
  QUIRE_ENSURE(block.languages.size() * block.ratings.size() == lists.size());
  return block;
}

// A matches for each list; none where the product has no comments.
Lists matches_of(const Source& source, std::span<const Cell> lists) {
  Lists out;
  for (const auto& list : lists)
    out.push_back(source.reader ? matches_of(source, block_of({&list, 1})) : nullptr);
  return out;
}

Awaitable<std::vector<Ulid>> slice(Matches& matches, std::uint64_t from, std::size_t count) {
  std::vector<Ulid> ids;
  std::optional<Position> before;
  if (from > 0) before = co_await matches.nth(from - 1);
  if ((from > 0 && !before) || count == 0) co_return ids;
  auto found = co_await matches.read(before, /*backward=*/false, count);
  for (const auto& position : found) ids.push_back(position.id);
  co_return ids;
}

Awaitable<std::vector<std::uint64_t>> lengths_in(const Source& source,
                                                 std::span<const Cell> lists) {
  auto matches = matches_of(source, lists);
  std::vector<std::uint64_t> lengths;
  for (const auto& list : matches) {
    std::uint64_t length = 0;
    if (list) length = co_await list->total();
    lengths.push_back(length);
  }
  co_return lengths;
}

Awaitable<std::vector<std::vector<Ulid>>> slices_in(const Source& source,
                                                    std::span<const RankRange> ranges) {
  std::vector<std::vector<Ulid>> slices;
  for (const auto& [list, from, count] : ranges) {
    auto matches = source.reader ? matches_of(source, block_of({&list, 1})) : nullptr;
    std::vector<Ulid> ids;
    if (matches) ids = co_await slice(*matches, from, count);
    slices.push_back(std::move(ids));
  }
  co_return slices;
}

Awaitable<std::vector<std::uint64_t>> ranks_in(const Source& source, std::span<const Cell> lists,
                                               const Ulid& id) {
  auto matches = matches_of(source, lists);
  std::vector<std::uint64_t> ranks;
  for (const auto& list : matches) {
    std::uint64_t rank = 0;
    if (list) rank = co_await list->rank(Position{id});
    ranks.push_back(rank);
  }
  co_return ranks;
}

Awaitable<Result<Ulid>> nth_in(const Source& source, std::span<const Cell> lists, std::uint64_t n) {
  if (!source.reader) co_return changes_too_fast();
  auto matches = matches_of(source, block_of(lists));
  auto position = co_await matches->nth(n);
  if (!position) co_return changes_too_fast();
  co_return position->id;
}

// Each question has its own snapshot. A request may wait between two questions, and LMDB cannot
// reuse old pages while a transaction stays open.
class ListRanks : public Ranks {
 public:
  explicit ListRanks(Directory& directory) : directory_(directory) {}

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override {
    return ask<std::vector<std::uint64_t>>(
        product, [=](const Source& source) { return lengths_in(source, lists); });
  }
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override {
    return ask<std::vector<std::vector<Ulid>>>(
        product, [=](const Source& source) { return slices_in(source, ranges); });
  }
  Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      const Ulid& id) override {
    return ask<std::vector<std::uint64_t>>(
        product, [=](const Source& source) { return ranks_in(source, lists, id); });
  }
  Awaitable<Result<Ulid>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                       std::uint64_t, std::uint64_t n) override {
    return ask<Ulid>(product, [=](const Source& source) { return nth_in(source, lists, n); });
  }

 private:
  template <class T, class Answer>
  Awaitable<Result<T>> ask(std::string_view product, Answer answer) {
    CO_TRY(auto databases, directory_.databases());
    try {
      Snapshot snapshot(*databases);
      auto source = snapshot.bitmaps(product);
      co_return co_await answer(source);
    } catch (const std::exception& thrown) {
      co_return explain(directory_.path(), thrown);
    }
  }

  Directory& directory_;
};

}  // namespace

std::unique_ptr<Ranks> ranks_of(Directory& directory) {
  return std::make_unique<ListRanks>(directory);
}

}  // namespace quire::page_index
