#include "projection/compare.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "model/facets.h"

namespace quire::projection {
namespace {

constexpr std::size_t comments_at_once = 1000;

// The comments that an index has of a product, one after the other.
class CommentWalk {
 public:
  CommentWalk(PageIndex& index, std::string product)
      : index_(index), product_(std::move(product)) {}

  // Absent: the end.
  Awaitable<Result<std::optional<IndexedComment>>> next() {
    if (at_ == comments_.size() && !end_) {
      auto more = co_await read();
      if (!more) co_return more.error();
    }
    if (at_ == comments_.size()) co_return std::optional<IndexedComment>();
    co_return std::optional(std::move(comments_[at_++]));
  }

  // The facets that the index held when it was read last.
  const Schema& schema() const { return schema_; }

 private:
  Awaitable<Status> read() {
    auto view = index_.facet_view();
    if (!view) co_return view.error();
    auto found = co_await (*view)->comments(product_, last_, comments_at_once);
    if (!found) co_return found.error();
    schema_ = (*view)->schema();
    comments_ = std::move(*found);
    at_ = 0;
    end_ = comments_.size() < comments_at_once;
    if (!comments_.empty()) last_ = comments_.back().id;
    co_return Done{};
  }

  PageIndex& index_;
  std::string product_;
  Schema schema_ = {};
  std::vector<IndexedComment> comments_ = {};
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
std::optional<change::Values> values_of(const IndexedComment& indexed, const Schema& schema) {
  auto comment = comment_of(indexed, schema);
  if (comment.language.empty() || comment.rating < 1 || comment.rating > 5) return {};
  return change::Values(cell(comment.language, comment.rating), std::move(comment.attributes));
}

Error damaged_recount() {
  return {ErrorCode::unavailable, "The recount is damaged: run quire verify again."};
}

Awaitable<Result<std::vector<std::string>>> flaws_of(PageIndex& index, std::string product) {
  auto view = index.facet_view();
  if (!view) co_return view.error();
  co_return co_await (*view)->flaws(product);
}

struct Tally {
  std::size_t missing = 0, extra = 0, other = 0;
};

std::string sentence(const std::string& product, const Tally& tally) {
  return fmt::format("{}: {} comments are missing, {} do not belong there, {} have other values.",
                     list_key(product, Cell{}), tally.missing, tally.extra, tally.other);
}

}  // namespace

Awaitable<Result<std::vector<std::string>>> compare_facets(PageIndex& truth, PageIndex& index,
                                                           std::string product,
                                                           Repairing repairing) {
  CommentWalk right(truth, product), is(index, product);
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
  auto flaws = co_await flaws_of(index, product);
  if (!flaws) co_return flaws.error();
  for (const auto& flaw : *flaws)
    sentences.push_back(list_key(product, Cell{}) + ": " + flaw + " Run quire backfill --again.");
  co_return sentences;
}

}  // namespace quire::projection
