// Compares the blocks of a product with its comments.
#include <fmt/format.h>

#include <algorithm>

#include "page_index/sql/block_writer.h"

namespace quire::sql {
namespace {

// What the blocks of a level should count, by the comments or by the blocks below.
class Check {
 public:
  Check(Connection& connection, const std::string& product)
      : connection_(connection), product_(literal(product)) {}

  std::vector<std::string> flaws() {
    auto level = read_blocks(connection_, product_, 0, {});
    if (level.empty()) return {};
    compare_with_comments(level);
    for (int above = 1; flaws_.size() < max_flaws; ++above) {
      auto next = read_blocks(connection_, product_, above, {});
      if (next.empty()) break;
      compare(above, next, level);
      level = std::move(next);
    }
    return std::move(flaws_);
  }

 private:
  static constexpr std::size_t max_flaws = 3;

  void expect(int level, const Block& block, const Counts& counts) {
    if (block.counts == counts || flaws_.size() >= max_flaws) return;
    flaws_.push_back(fmt::format("The block from {} of level {} counts {} comments, and has {}.",
                                 block.first.text(), level, sum_of(block.counts), sum_of(counts)));
  }

  void compare_with_comments(const std::vector<Block>& blocks) {
    if (blocks.front().first != Ulid{})
      expect(0, {}, count_comments(connection_, product_, {{}, blocks.front().first}));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      IdRange ids{blocks[i].first, {}};
      if (i + 1 < blocks.size()) ids.high = blocks[i + 1].first;
      expect(0, blocks[i], count_comments(connection_, product_, ids));
    }
  }

  void compare(int level, const std::vector<Block>& blocks, const std::vector<Block>& below) {
    auto each = below.begin();
    auto sum_until = [&](const Ulid* end) {
      Counts counts;
      for (; each != below.end() && (!end || each->first < *end); ++each) add(counts, each->counts);
      return counts;
    };
    expect(level, {}, sum_until(&blocks.front().first));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      bool last = i + 1 == blocks.size();
      expect(level, blocks[i], sum_until(last ? nullptr : &blocks[i + 1].first));
    }
  }

  Connection& connection_;
  std::string product_;
  std::vector<std::string> flaws_;
};

}  // namespace

std::vector<std::string> flaws_of_blocks(Connection& connection, const std::string& product) {
  Transaction moment(connection, connection.dialect().begin_to_read);
  return Check(connection, product).flaws();
}

}  // namespace quire::sql
