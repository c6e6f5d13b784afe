#include "projection/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/try.h"
#include "model/facets.h"
#include "page_index/facet_view.h"
#include "word_index/state.h"

namespace quire::projection {

namespace {

constexpr std::size_t ids_at_once = 1000;
// Of which an index is asked in one round: there are hundreds where a product has as many
// languages, and an index bounds what one answer may hold.
constexpr std::size_t lists_at_once = 100;

// The ids of a list, one after the other; `first` are those it begins with.
class Walk {
 public:
  Walk(Ranks& ranks, std::string product, Cell list, std::vector<Ulid> first)
      : ranks_(ranks), product_(std::move(product)), list_(list) {
    take(std::move(first));
  }

  // The next id; nothing at the end.
  Awaitable<Result<std::optional<Ulid>>> next() {
    if (at_ == ids_.size() && !end_) {
      RankRange range{list_, from_, ids_at_once};
      CO_TRY(auto slices, co_await ranks_.slices(product_, {&range, 1}));
      take(std::move(slices.front()));
    }
    if (at_ == ids_.size()) co_return std::optional<Ulid>();
    co_return std::optional<Ulid>(ids_[at_++]);
  }

 private:
  void take(std::vector<Ulid> ids) {
    ids_ = std::move(ids);
    from_ += ids_.size();
    at_ = 0;
    end_ = ids_.size() < ids_at_once;
  }

  Ranks& ranks_;
  std::string product_;
  Cell list_;
  std::vector<Ulid> ids_;
  std::size_t at_ = 0;
  std::uint64_t from_ = 0;
  bool end_ = false;
};

struct Wrong {
  std::map<Ulid, std::vector<Cell>> extra;  // in lists where they are not
  std::set<Ulid> missing;
  bool lengths = false;  // some list or block does not have as many as it says
};

// Compares one list, which says how long it is; a sentence if it differs.
Awaitable<Result<std::string>> compare_list(Walk& right, Walk& is, std::uint64_t length,
                                            std::string name, Cell list, Wrong& wrong) {
  auto a = co_await right.next();
  auto b = co_await is.next();
  std::size_t extra = 0, missing = 0, there = 0;
  while (a && b && (*a || *b)) {
    bool only_right = *a && (!*b || **a < **b), only_is = *b && (!*a || **b < **a);
    if (only_right) wrong.missing.insert(**a), ++missing;
    if (only_is) wrong.extra[**b].push_back(list), ++extra;
    if (!only_right) ++there;
    if (!only_is) a = co_await right.next();
    if (!only_right) b = co_await is.next();
  }
  if (!a) co_return a.error();
  if (!b) co_return b.error();
  wrong.lengths |= there != length;
  if (extra + missing == 0 && there == length) co_return std::string();
  if (extra + missing == 0)
    co_return fmt::format("{}: it has {} comments, and says {}.", name, there, length);
  co_return fmt::format("{}: {} comments are missing, {} do not belong there.", name, missing,
                        extra);
}

std::vector<Cell> all_lists(const std::set<FacetValue>& languages) {
  std::vector<Cell> lists;
  for (FacetValue rating = any; rating <= 5; ++rating) {
    lists.push_back({any, rating});
    for (auto language : languages) lists.push_back({language, rating});
  }
  return lists;
}

// What each of the lists begins with, in one round.
Awaitable<Result<std::vector<std::vector<Ulid>>>> beginnings(Ranks& ranks, std::string product,
                                                             std::span<const Cell> lists) {
  std::vector<RankRange> ranges;
  for (const auto& list : lists) ranges.push_back({list, 0, ids_at_once});
  co_return co_await ranks.slices(product, ranges);
}

bool full(const Cell& list) {
  return list[language_facet] != any && list[rating_facet] != any;
}

// In which cell the truth has an id, if it has it.
Awaitable<Result<std::optional<Cell>>> cell_of(Ranks& truth, std::string product,
                                               std::vector<Cell> cells, Ulid id) {
  CO_TRY(auto ranks, co_await truth.ranks(product, cells, id));
  std::vector<RankRange> ranges;
  for (std::size_t i = 0; i < cells.size(); ++i) ranges.push_back({cells[i], ranks[i], 1});
  CO_TRY(auto there, co_await truth.slices(product, ranges));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& ids = there[i];
    if (!ids.empty() && ids.front() == id) co_return std::optional<Cell>(cells[i]);
  }
  co_return std::optional<Cell>();
}

// Where lengths are kept apart, any change puts them right: such as one of an id that need not be
// there.
Awaitable<Status> put_lengths_right(const std::string& product, Cell cell, Repair& repair) {
  change::Change none{product, Ulid(), cell};
  co_return co_await repair.add(std::move(none));
}

// Out of every list where it does not belong, then into those of its cell.
Awaitable<Status> put_right(Ranks& truth, const std::string& product,
                            const std::vector<Cell>& cells, const Wrong& wrong, Repair& repair) {
  std::set<Ulid> ids = wrong.missing;
  if (wrong.lengths) {
    ids.insert(Ulid());
    auto put = co_await put_lengths_right(product, cells.front(), repair);
    if (!put) co_return put;
  }
  for (const auto& [id, lists] : wrong.extra) {
    ids.insert(id);
    for (Cell cell : lists) {
      if (cell[language_facet] == any) cell[language_facet] = cells.front()[language_facet];
      if (cell[rating_facet] == any) cell[rating_facet] = 1;
      change::Change out{product, id, cell};
      auto put = co_await repair.add(std::move(out));
      if (!put) co_return put;
    }
  }
  for (const auto& id : ids) {
    CO_TRY(auto cell, co_await cell_of(truth, product, cells, id));
    if (!cell) continue;
    change::Change in{product, id, {}, *cell};
    auto put = co_await repair.add(std::move(in));
    if (!put) co_return put;
  }
  co_return co_await repair.end();
}

// Adds to `wrong`, and a sentence for each list that differs.
Awaitable<Status> compare_lists(Ranks& truth, Ranks& index, const std::string& product,
                                std::span<const Cell> lists, Wrong& wrong,
                                std::vector<std::string>& sentences) {
  CO_TRY(auto true_first, co_await beginnings(truth, product, lists));
  CO_TRY(auto first, co_await beginnings(index, product, lists));
  CO_TRY(auto lengths, co_await index.lengths(product, lists));
  for (std::size_t i = 0; i < lists.size(); ++i) {
    Walk right(truth, product, lists[i], std::move(true_first[i]));
    Walk is(index, product, lists[i], std::move(first[i]));
    CO_TRY(auto sentence, co_await compare_list(right, is, lengths[i], list_key(product, lists[i]),
                                                lists[i], wrong));
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  co_return Done{};
}

constexpr std::size_t comments_at_once = 1000;

// The comments that an index has of a product, one after the other.
class CommentWalk {
 public:
  // `words`: whether the comments' words are looked at, too.
  CommentWalk(PageIndex& index, std::string product, bool words)
      : index_(index), product_(std::move(product)), words_(words) {}

  // Absent: the end. Otherwise words() is of this comment.
  Awaitable<Result<std::optional<IndexedComment>>> next() {
    if (at_ == comments_.size() && !end_) {
      CO_TRY_DONE(co_await read());
    }
    if (at_ == comments_.size()) co_return std::optional<IndexedComment>();
    co_return std::optional(std::move(comments_[at_++]));
  }

  // A hash of the terms of the comment that next() gave last.
  std::uint64_t words() const { return words_ ? sums_[at_ - 1] : 0; }
  // The facets that the index held when it was read last.
  const Schema& schema() const { return schema_; }

 private:
  Awaitable<Status> read() {
    CO_TRY(auto view, index_.facet_view());
    CO_TRY(auto found, co_await view->comments(product_, last_, comments_at_once));
    schema_ = view->schema();
    std::vector<Ulid> ids;
    for (const auto& comment : found) ids.push_back(comment.id);
    if (words_) {
      CO_TRY(sums_, co_await view->word_sums(product_, ids));
    }
    comments_ = std::move(found);
    at_ = 0;
    end_ = comments_.size() < comments_at_once;
    if (!comments_.empty()) last_ = comments_.back().id;
    co_return Done{};
  }

  PageIndex& index_;
  std::string product_;
  const bool words_;
  Schema schema_ = {};
  std::vector<IndexedComment> comments_ = {};
  std::vector<std::uint64_t> sums_ = {};  // beside them
  std::size_t at_ = 0;
  std::optional<Ulid> last_ = {};
  bool end_ = false;
};

// The values of the facets that are the same in both schemas.
std::map<FacetNumber, AttributeValue> shared(const IndexedComment& comment, const Schema& one,
                                             const Schema& other) {
  auto values = comment.values;
  std::erase_if(values, [&](const auto& value) {
    const auto *a = one.find(value.first), *b = other.find(value.first);
    return !a || !b || a->facet() != b->facet();
  });
  return values;
}

// Absent: the index that is to be right has a comment without language or rating.
std::optional<change::IndexedValues> values_of(const IndexedComment& indexed,
                                               const Schema& schema) {
  auto comment = comment_of(indexed, schema);
  if (comment.language.empty() || comment.rating < 1 || comment.rating > 5) return {};
  return change::IndexedValues(cell(comment.language, comment.rating),
                               std::move(comment.attributes));
}

Error damaged_recount() {
  return {ErrorCode::damaged,
          "The temporary index of this check is damaged: run quire verify again."};
}

Awaitable<Result<std::vector<std::string>>> flaws_of(PageIndex& index, std::string product) {
  CO_TRY(auto view, index.facet_view());
  co_return co_await view->flaws(product);
}

struct Tally {
  std::size_t missing = 0, extra = 0, other = 0, reworded = 0;
};

Awaitable<Result<bool>> has_words(PageIndex& index) {
  CO_TRY(auto words, co_await index.words());
  co_return words.state == word_index::State::ready;
}

std::string sentence(const std::string& product, const Tally& tally) {
  return fmt::format("{}: {} comments are missing, {} do not belong there, {} have other values.",
                     list_key(product, Cell{}), tally.missing, tally.extra, tally.other);
}

}  // namespace

Awaitable<Status> Repair::add(change::Change change) {
  if (!wanted()) co_return Done{};
  changes_.push_back(std::move(change));
  if (changes_.size() < put_at_once) co_return Done{};
  co_return co_await end();
}

Awaitable<Status> Repair::end() {
  if (changes_.empty()) co_return Done{};
  co_return co_await index_.put(std::exchange(changes_, {}));
}

Awaitable<Result<std::vector<std::string>>> compare(PageIndex& truth, PageIndex& index,
                                                    std::string product, Repairing repairing) {
  if (truth.holds_facets() && index.holds_facets())
    co_return co_await compare_facets(truth, index, std::move(product), repairing);
  std::vector<std::string> sentences;
  CO_TRY(auto true_languages, co_await truth.languages(product));
  CO_TRY(auto others, co_await index.languages(product));
  std::set<FacetValue> languages(true_languages.begin(), true_languages.end());
  languages.insert(others.begin(), others.end());
  // An id that is only in lists without a language is removed through the lists of any language.
  if (languages.empty()) languages.insert(cell("en", 1)[language_facet]);
  auto lists = all_lists(languages);
  std::vector<Cell> cells;
  std::copy_if(lists.begin(), lists.end(), std::back_inserter(cells), full);
  Repair repair(index, repairing);
  // First, because the lists of an index that contradicts itself perhaps cannot be read.
  CO_TRY(auto flaws, co_await index.flaws(product));
  for (const auto& flaw : flaws) sentences.push_back(product + ": " + flaw);
  if (!flaws.empty() && repair.wanted()) {
    auto mended = co_await put_lengths_right(product, cells.front(), repair);
    if (mended) mended = co_await repair.end();
    if (!mended) co_return mended.error();
  }
  auto true_ranks = truth.ranks(), ranks = index.ranks();
  Wrong wrong;
  for (std::span<const Cell> left(lists); !left.empty();) {
    auto some = left.first(std::min(lists_at_once, left.size()));
    left = left.subspan(some.size());
    auto compared = co_await compare_lists(*true_ranks, *ranks, product, some, wrong, sentences);
    if (!compared && !flaws.empty() && !repair.wanted()) co_return sentences;
    if (!compared) co_return compared.error();
  }
  if (!repair.wanted()) co_return sentences;
  CO_TRY_DONE(co_await put_right(*true_ranks, product, cells, wrong, repair));
  co_return sentences;
}

std::vector<std::string> both(const std::vector<std::string>& a, const std::vector<std::string>& b,
                              std::size_t limit) {
  std::set<std::string> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  // Beyond the end of one that was cut off, nothing is known of it yet.
  for (const auto* some : {&a, &b}) {
    if (some->size() >= limit) all.erase(all.upper_bound(some->back()), all.end());
  }
  return {all.begin(), all.end()};
}

Awaitable<Result<std::vector<std::string>>> compare_facets(PageIndex& truth, PageIndex& index,
                                                           std::string product,
                                                           Repairing repairing) {
  CO_TRY(bool of_truth, co_await has_words(truth));
  CO_TRY(bool of_index, co_await has_words(index));
  bool words = of_truth && of_index;
  CommentWalk right(truth, product, words), is(index, product, words);
  Repair repair(index, repairing);
  Tally tally;
  auto a = co_await right.next();
  auto b = co_await is.next();
  Status put = Done{};
  while (put && a && b && (*a || *b)) {
    bool only_right = *a && (!*b || (*a)->id < (*b)->id);
    bool only_is = *b && (!*a || (*b)->id < (*a)->id);
    bool differs = !only_right && !only_is &&
                   ((*a)->key != (*b)->key || shared(**a, right.schema(), is.schema()) !=
                                                  shared(**b, right.schema(), is.schema()));
    tally.missing += only_right;
    tally.extra += only_is;
    tally.other += differs;
    tally.reworded += !only_right && !only_is && right.words() != is.words();
    if (only_is || only_right || differs) {
      change::Change change{product, only_is ? (*b)->id : (*a)->id};
      // An extra comment alone is removed: its item may be another comment, which is right.
      if (!only_is) change.key = (*a)->key;
      if (!only_is) change.to = values_of(**a, right.schema());
      if (!only_is && !change.to) co_return damaged_recount();
      put = co_await repair.add(std::move(change));
    }
    if (!only_is) a = co_await right.next();
    if (!only_right) b = co_await is.next();
  }
  if (!a) co_return a.error();
  if (!b) co_return b.error();
  if (put) put = co_await repair.end();
  if (!put) co_return put.error();
  std::vector<std::string> sentences;
  if (tally.missing + tally.extra + tally.other > 0) sentences.push_back(sentence(product, tally));
  if (tally.reworded > 0) {
    sentences.push_back(fmt::format(
        "{}: {} comments have other words than their texts. Run quire backfill --again.",
        list_key(product, Cell{}), tally.reworded));
  }
  CO_TRY(auto flaws, co_await flaws_of(index, product));
  for (const auto& flaw : flaws)
    sentences.push_back(list_key(product, Cell{}) + ": " + flaw + " Run quire backfill --again.");
  co_return sentences;
}

}  // namespace quire::projection
