// A store, flips of bits of the structure of its pages, and what must be right after each.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include "base/rounds.h"
#include "bytes.h"
#include "listing/bitmap/indexed.h"
#include "lmdb/data_file.h"
#include "lmdb/numbers.h"
#include "loop/loop.h"
#include "model/document.h"
#include "service/comments.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/backup.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {

inline constexpr std::size_t page_size = 4096;
inline constexpr unsigned seconds_of_a_flip = 120;  // a flip without end, not a slow one

// What an export gives.
struct Exported {
  std::set<std::string> lines;
  std::uint64_t damaged = 0, missing = 0;
};

// `at_once`: how many comments a slice has. Where a slice begins beside a damaged entry, the search
// for that place may hide an entry more.
inline Exported export_of(Store& store, std::size_t at_once = 100) {
  Exported out;
  auto view = store.view();
  std::optional<Ulid> after;
  std::uint64_t found = 0;
  for (bool end = false; !end;) {
    auto slice = wait(view->scan(after, at_once)).value();
    for (const auto& entry : slice.entries) {
      if (is_damaged(entry.document))
        ++out.damaged;
      else
        out.lines.emplace(document_json(entry.document));
      after = entry.id;
    }
    found += slice.entries.size();
    end = slice.end;
  }
  auto counted = wait(view->counted("")).value().value();
  out.missing = counted > found ? counted - found : 0;
  return out;
}

class StructureFlips : public testing::Test {
 protected:
  void SetUp() override {
    auto store = LmdbStore::open(directory_.path(), Access::write).value();
    std::vector<Comment> comments;
    for (std::uint64_t i = 0; i < 700; ++i) {
      Comment comment = comment_at(1000 + i, i, i % 3 ? "en" : "de", static_cast<int>(i % 5) + 1,
                                   i % 7 ? "42" : "product " + std::to_string(i % 40));
      if (i % 100 == 7) comment.text = std::string(9000, 'x');
      comments.push_back(comment);
    }
    ASSERT_TRUE(wait(store->words()->add_words()));
    ASSERT_TRUE(wait(store->insert_many(comments)));
    for (std::uint64_t i = 700; i < 720; ++i)
      ASSERT_TRUE(wait(store->insert(comment_at(1000 + i, i, "en", 5),
                                     RequestKey{{static_cast<std::uint8_t>(i)}, {1}, 5000 + i})));
    for (std::uint64_t i : {3, 10, 21}) ASSERT_TRUE(wait(store->remove(id_at(1000 + i, i))));
    wanted_ = export_of(*store).lines;
    ASSERT_EQ(wanted_.size(), 717u);
    pages_ = pages(*store);
    store.reset();
    bytes_ = file_bytes(file());
  }

  std::string file() const { return directory_.path() + "/data.mdb"; }

  // Pages as a server reads them. An error stands for itself.
  static std::vector<std::string> pages(Store& store) {
    std::vector<std::string> out;
    Comments comments(store, bitmap::listings(), Seal({Seal::Key{1, 2, 3}}));
    auto add = [&](const Query& query) {
      auto& text = out.emplace_back();
      try {
        auto page = wait(comments.page(query));
        if (page) text = std::to_string(page->total.value_or(0));
        if (!page) text = "error";
        for (std::size_t i = 0; page && i < page->rows.size(); ++i)
          text.append(page->rows[i].id.text());
      } catch (const Unavailable&) {
        text = "error";
      }
    };
    add({.product = "42", .limit = 30});
    add({.product = "42", .limit = 30, .page = 15});
    add({.product = "42", .languages = {"en"}, .ratings = {4, 5}, .limit = 20, .page = 3});
    add({.product = "42", .limit = 10, .sort = Sort::lowest});
    add({.product = "product 7", .limit = 10});
    add({.product = "42", .limit = 20, .words = "345"});
    add({.product = "42", .limit = 20, .words = "comment fits", .page = 2});
    add({.product = "42", .ratings = {1, 2}, .limit = 20, .words = "fit"});
    return out;
  }

  // The bits of the structure of all pages but the first two, which opening checks.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> bits;
    auto add = [&](std::size_t from, std::size_t bytes) {
      for (std::size_t bit = from * 8; bit < (from + bytes) * 8; ++bit) bits.push_back(bit);
    };
    for (std::size_t page = 2; page < bytes_.size() / page_size; ++page) {
      std::string_view bytes(&bytes_[page * page_size], page_size);
      auto flags = lmdb::load<std::uint16_t>(&bytes[10]);
      add(page * page_size, lmdb::page_head);
      if (flags != lmdb::page_branch && flags != lmdb::page_leaf) continue;
      for (const auto& node : lmdb::nodes_of(bytes, page)) {
        auto at = static_cast<std::size_t>(node.key.data() - bytes_.data()) - lmdb::node_head;
        add(at, lmdb::node_head + std::min<std::size_t>(node.key.size(), 4));
        bool inner = node.flags & (lmdb::node_several | lmdb::node_tree | lmdb::node_overflow);
        if (inner) add(at + lmdb::node_head + node.key.size(), 8);
        if (inner && node.value.size() >= lmdb::tree_size)
          add(at + lmdb::node_head + node.key.size() + 8, lmdb::tree_size - 8);
      }
      auto lower = lmdb::load<std::uint16_t>(&bytes[12]);
      add(page * page_size + lmdb::page_head, lower - lmdb::page_head);
    }
    std::shuffle(bits.begin(), bits.end(), std::mt19937_64(20240607));
    return bits;
  }

  lmdb::Meta newest() const {
    auto metas = lmdb::DataFile(file()).metas();
    return metas[metas[1].transaction > metas[0].transaction];
  }

  std::vector<lmdb::Node> nodes(lmdb::PageNumber page) const {
    return lmdb::nodes_of({&bytes_[page * page_size], page_size}, page);
  }

  void flip(std::size_t bit) {
    auto damaged = bytes_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    put_file(file(), damaged);
  }

  // What went wrong. Empty: nothing.
  std::string reading(std::size_t bit) {
    flip(bit);
    auto store = LmdbStore::open(directory_.path(), Access::read);
    if (!store) return store.error().message.empty() ? "an error without words" : "";
    auto& db = (*store)->databases();
    try {
      verify(db);
    } catch (const Unavailable&) {
    }
    std::size_t lines = 0;
    try {
      auto out = export_of(**store);
      lines = out.lines.size();
      bool known = out.damaged + out.missing > 0;
      if (!std::includes(wanted_.begin(), wanted_.end(), out.lines.begin(), out.lines.end()))
        return "an export has other comments";
      if (out.lines != wanted_ && !known) return "an export lacks comments, unnoticed";
    } catch (const Unavailable&) {
    }
    try {
      lmdb::ReadTransaction txn(*db.environment);
      lmdb::NewFile copy(directory_.path() + "/copy");
      auto missing = copy_all(db, txn, copy, {});
      if (missing.of >= wanted_.size() && missing.of - missing.comments < lines)
        return "a copy lacks comments that an export has";
    } catch (const Unavailable&) {
    }
    auto found = pages(**store);
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      bool known = db.damage.met() > 0 || found[i] == "error";
      if (found[i] != pages_[i] && !known) return "a page is another, unnoticed";
    }
    return {};
  }

  std::string writing(std::size_t bit) {
    flip(bit);
    auto store = LmdbStore::open(directory_.path(), Access::write);
    if (!store) return {};
    std::set<std::string> kept;
    auto look = [&] {
      try {
        kept = export_of(**store, 10'000).lines;
        return true;
      } catch (const Unavailable&) {
        return false;
      }
    };
    bool readable = look();
    auto before = kept;
    // A client tries again.
    for (std::uint64_t i : {0, 250, 480, 8000, 0, 250, 480, 8000}) {
      auto done = wait((*store)->insert(comment_at(1001 + i, 9000 + i, "en", 4), {}));
      if (done) before.emplace(document_json(*done));
    }
    if (readable && !look()) return "a write made the store unreadable";
    if (readable && !std::includes(kept.begin(), kept.end(), before.begin(), before.end()))
      return "a write lost comments";
    (void)wait((*store)->insert(comment_at(9000, 1, "en", 4), RequestKey{{9}, {1}, 9000}));
    for (std::uint64_t i : {5, 300, 650}) (void)wait((*store)->remove(id_at(1000 + i, i)));
    (void)wait((*store)->update(id_at(1301, 301), Patch{.text = "edited"}));
    return {};
  }

  // Tries flips in a child, so that a signal tells its bit.
  template <class Try>
  void try_all(std::vector<std::size_t> bits, Try try_one) {
    auto* next = static_cast<std::size_t*>(mmap(
        nullptr, sizeof(std::size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(next, MAP_FAILED);
    *next = 0;
    pid_t child = fork();
    if (child == 0) {
      bool failed = false;
      for (; *next < bits.size(); ++*next) {
        alarm(seconds_of_a_flip);
        auto wrong = try_one(bits[*next]);
        if (wrong.empty()) continue;
        std::fprintf(stderr, "bit %zu: %s\n", bits[*next], wrong.c_str());
        failed = true;
      }
      _exit(failed ? 2 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    auto bit = *next < bits.size() ? bits[*next] : 0;
    munmap(next, sizeof(std::size_t));
    ASSERT_TRUE(WIFEXITED(status))
        << "bit " << bit << " of page " << bit / 8 / page_size << ", byte " << bit / 8 % page_size
        << ": signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0) << "the bits are above";
  }

  std::vector<std::size_t> some(std::size_t usual) const {
    auto bits = places();
    bits.resize(std::min(bits.size(), rounds(usual)));
    return bits;
  }

  TemporaryDirectory directory_;
  std::set<std::string> wanted_;
  std::vector<std::string> pages_;
  std::string bytes_;
};

}  // namespace quire::embedded
