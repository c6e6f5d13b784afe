#include "projection/compare_facets.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "model/index.h"

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
std::optional<change::Values> values_of(const IndexedComment& comment, const Schema& schema) {
  std::string language;
  std::int64_t rating = 0;
  Attributes attributes;
  for (const auto& [number, value] : comment.values) {
    if (number == language_number)
      language = std::get<std::string>(value);
    else if (number == rating_number)
      rating = std::get<std::int64_t>(value);
    else if (const auto* facet = schema.find(number))
      attributes.emplace(facet->facet().name, value);
  }
  if (language.empty() || rating < 1 || rating > 5) return {};
  return change::Values(cell(language, static_cast<int>(rating)), std::move(attributes));
}

Error damaged_recount() {
  return {ErrorCode::unavailable, "The recount is damaged: run quire verify again."};
}

struct Tally {
  std::size_t missing = 0, extra = 0, other = 0;
};

std::string sentence(const std::string& product, const Tally& tally) {
  return fmt::format("{}: {} comments are missing, {} do not belong there, {} have other values.",
                     list_key(product, Cell{}), tally.missing, tally.extra, tally.other);
}

}  // namespace

Awaitable<Result<Differences>> compare_facets(PageIndex& truth, PageIndex& index,
                                              std::string product) {
  CommentWalk right(truth, product), is(index, product);
  Differences out;
  Tally tally;
  auto a = co_await right.next();
  auto b = co_await is.next();
  while (a && b && (*a || *b)) {
    bool only_right = *a && (!*b || (*a)->id < (*b)->id);
    bool only_is = *b && (!*a || (*b)->id < (*a)->id);
    bool differs =
        !only_right && !only_is &&
        shared(**a, right.schema(), is.schema()) != shared(**b, right.schema(), is.schema());
    tally.missing += only_right;
    tally.extra += only_is;
    tally.other += differs;
    if (only_is) out.repair.push_back({product, (*b)->id});
    if (only_right || differs) {
      auto values = values_of(**a, right.schema());
      if (!values) co_return damaged_recount();
      out.repair.push_back({product, (*a)->id, {}, std::move(*values)});
    }
    if (!only_is) a = co_await right.next();
    if (!only_right) b = co_await is.next();
  }
  if (!a) co_return a.error();
  if (!b) co_return b.error();
  if (tally.missing + tally.extra + tally.other > 0)
    out.sentences.push_back(sentence(product, tally));
  co_return out;
}

}  // namespace quire::projection
