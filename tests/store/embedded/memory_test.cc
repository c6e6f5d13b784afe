// Memory that runs out at any moment of a write neither loses nor doubles it.
#include <gtest/gtest.h>

#include "bitmap_index/reading/matches.h"
#include "bitmap_index/reading/selection.h"
#include "failing_memory.h"
#include "loop/loop.h"
#include "store/embedded/view.h"
#include "store/embedded/writer.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class OutOfMemory : public testing::Test {
 protected:
  OutOfMemory() {
    std::vector<ImportRow> many;
    for (std::uint64_t i = 0; i < 1100; ++i) many.push_back({comment_at(1000 + i, i, "en", 5)});
    auto imported =
        wait(writer_.run<Imported>([&](Edit& edit) { return edit.import_rows(many, {}); }));
    EXPECT_EQ(imported.value().added, 1100u);
  }

  // Inserts a comment. The n-th allocation after the insertion itself fails on the writer's thread.
  Result<std::string> insert(const Comment& comment, int n) {
    return wait(writer_.run<std::string>([&comment, n](Edit& edit) {
      auto document = edit.insert(comment, {}, {});
      allocations_left = n;
      return document;
    }));
  }
  // Whether no allocation of the last write failed. Ends the failing.
  bool enough() {
    auto left = wait(writer_.run<bool>(
        [](Edit&) -> Result<bool> { return std::exchange(allocations_left, -1) >= 0; }));
    return !left || *left;
  }
  bool has(const Ulid& id) { return wait(LmdbView(*databases_, totals_).get(id)).ok(); }
  // The comments under a filter, by totals that are kept.
  std::uint64_t filtered() {
    LmdbView view(*databases_, totals_);
    auto source = std::move(view.bitmaps("42").value().value());
    Filter filter{.product = "42", .values = {}};
    filter.values[language_facet] = {*list_facets[language_facet].parse("en")};
    filter.values[rating_facet] = {5};
    bitmap_index::Question question{bitmap_index::selection_of(source.hash_key, filter),
                                    Sort::newest};
    bitmap_index::Matches matches(*source.reader, std::move(question),
                                  {source.kept, source.generation});
    EXPECT_TRUE(wait(matches.nth(600)));
    return wait(matches.total());
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Databases> databases_ = open_databases(directory_.path(), Access::write).value();
  bitmap_index::KeptTotals totals_{1 << 20};
  Bell bell_;
  Writer writer_{*databases_, totals_, bell_};
};

TEST_F(OutOfMemory, AWriteFailsOnlyIfNothingIsWritten) {
  constexpr int some = 20;  // not each commit needs memory afterwards
  std::uint64_t comments = 1100, number = 0;
  EXPECT_EQ(filtered(), comments);
  int n = 0;
  for (int enough = 0; enough < some; ++n) {
    enough = 0;
    for (int i = 0; i < some; ++i) {
      auto comment = comment_at(5000, ++number, "en", 5);
      auto inserted = insert(comment, n);
      ASSERT_EQ(inserted.ok(), has(comment.id)) << "allocation " << n;
      comments += inserted.ok();
      ASSERT_EQ(filtered(), comments) << "allocation " << n;
      enough += this->enough();
    }
  }
  EXPECT_GT(n, 10);
  EXPECT_GT(totals_.statistics().hits, 10u);
  EXPECT_LT(totals_.statistics().bytes, 1u << 20);
}

}  // namespace
}  // namespace quire::embedded
