// The contract that every store must keep. The test of a backend says how to open a store.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bitmap_index/reading/matches.h"
#include "loop/loop.h"
#include "model/document.h"
#include "store/customer_view.h"
#include "store/moderation_view.h"
#include "store/ports.h"
#include "store/support.h"
#include "store/views.h"

namespace quire {

// A store, and the way of its comments: through the store, unless other programs write them.
class Stand {
 public:
  explicit Stand(std::unique_ptr<Store> store) : store_(std::move(store)) {}
  virtual ~Stand() = default;

  Store& store() { return *store_; }
  // Returns the comment with the id that it has in the store.
  virtual Comment add(const Comment& comment) {
    EXPECT_EQ(decode_document(wait(store_->insert(comment, {})).value()), comment);
    return comment;
  }
  // Gives a comment another language and rating.
  virtual void change(const Comment& comment) {
    Patch patch{.language = comment.language, .rating = comment.rating};
    EXPECT_TRUE(wait(store_->update(comment.id, std::move(patch))));
  }
  virtual void remove(const Comment& comment) { EXPECT_TRUE(wait(store_->remove(comment.id))); }
  // Absent: there is none. Lives as long as the view, and until the next call.
  virtual std::optional<bitmap_index::Source> bitmaps(View& view, const std::string& product) {
    return bitmaps_of(view, product).value();
  }
  // Tries that the store repeated. Where the answer of a try is lost, an import cannot tell a row
  // that the try wrote from the same row that was there before: it counts it as written.
  virtual std::uint64_t retries() const { return 0; }

 protected:
  std::unique_ptr<Store> store_;
};

struct Backend {
  std::string name;
  // Opens the store in `directory`, in which an earlier call may have left data.
  std::function<std::unique_ptr<Stand>(const std::string& directory)> open;
  // Whether its counts follow each write.
  bool counts = true;
};

inline constexpr auto name_of = [](const auto& backend) { return backend.param.name; };

// Of every store.
class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  StoreContract() { reopen(); }

  void reopen() {
    stand_.reset();
    stand_ = GetParam().open(directory_.path());
    store_ = &stand_->store();
  }
  Comment add(const Comment& comment) { return stand_->add(comment); }
  Counts counts(const std::string& product = "42") {
    return wait(store_->view()->counts(product)).value();
  }
  std::vector<Ulid> ids(Order order, Range range, const std::string& product = "42") {
    auto view = store_->view();
    std::vector<Ulid> out;
    if (!view->lists()) return indexed(*stand_->bitmaps(*view, product), order, range, product);
    // The first entries of all parts together.
    auto parts = wait(view->counts(product)).value().parts;
    std::size_t index = 0;
    while (list_of(indexes[index], range.list) != range.list) ++index;
    for (range.part = 0; range.part < parts[index]; ++range.part) {
      auto slices = wait(view->lists()->read(product, order, {&range, 1}, false)).value();
      for (const auto& entry : slices.at(0).entries) out.push_back(entry.id);
    }
    std::sort(out.begin(), out.end(),
              [&](const Ulid& a, const Ulid& b) { return precedes(a, b, order); });
    out.resize(std::min(out.size(), range.limit));
    return out;
  }

  // The same from a bitmap index.
  static std::vector<Ulid> indexed(const bitmap_index::Source& source, Order order,
                                   const Range& range, const std::string& product) {
    if (!source.reader) return {};
    Filter filter{.product = product};
    for (std::size_t facet = 0; facet < facet_count; ++facet)
      if (range.list[facet] != any) filter.values[facet] = {range.list[facet]};
    bitmap_index::Question question{bitmap_index::selection_of(source.hash_key, filter),
                                    order == Order::newest_first ? Sort::newest : Sort::oldest};
    bitmap_index::Matches matches(*source.reader, question, {source.kept, source.generation});
    std::optional<Position> from;
    if (range.after) from = Position{*range.after};
    std::vector<Ulid> out;
    for (const auto& position : wait(matches.read(from, false, range.limit)))
      out.push_back(position.id);
    return out;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Stand> stand_;
  Store* store_ = nullptr;
};

// Of stores that find a single comment, and know their products.
class CountingContract : public StoreContract {};
// Of those whose counts follow each write.
class FollowingContract : public CountingContract {};
// Of stores that Quire writes.
class WritingContract : public StoreContract {
 protected:
  std::string insert(const Comment& comment) { return wait(store_->insert(comment, {})).value(); }
  Erased erase_all_of(CustomerHash customer, bool keep_ratings) {
    auto [removed, failed] = wait(store_->customers()->erase(customer, keep_ratings));
    EXPECT_FALSE(failed);
    return removed;
  }
};
// Of those whose counts follow each write.
class StatisticsContract : public WritingContract {};
// Of those whose views see one state. A table's reads see what it holds then.
class SnapshotContract : public WritingContract {};

}  // namespace quire
