// What an import does with rows whose comments are there, or were: against a plain model.
#include <map>
#include <random>
#include <set>

#include "base/rounds.h"
#include "contract.h"
#include "stands.h"

namespace quire {
namespace {

constexpr std::uint64_t known_ids = 14;
const std::string products[] = {"p0", "p1", "p2"};

CustomerHash customer(std::uint64_t number) {
  CustomerHash hash;
  hash.bytes.fill(static_cast<std::uint8_t>(number + 1));
  return hash;
}

// What the store has of an id.
struct Known {
  std::optional<Comment> comment = {};
  bool removed = false;  // its id is kept
  bool voted = false;
};
using Model = std::map<Ulid, Known>;

// What the comment becomes.
Comment set_by(const ImportRow& row, const Known& known) {
  auto out = *known.comment;
  const auto& from = row.comment;
  auto set = [&](ImportRow::Member member, auto Comment::*of) {
    if ((row.lacks & member) == 0) out.*of = from.*of;
  };
  out.rating = from.rating;
  set(ImportRow::language, &Comment::language);
  set(ImportRow::author, &Comment::author);
  set(ImportRow::title, &Comment::title);
  set(ImportRow::text, &Comment::text);
  set(ImportRow::media, &Comment::media);
  for (const auto& [name, value] : from.attributes)
    if (!known.voted || (name != "helpful" && name != "unhelpful")) out.attributes[name] = value;
  if (from.reply) out.reply = from.reply;
  return out;
}

void import_into(Model& model, const ImportRow& row, const ImportTerms& terms, Imported& counts) {
  auto& known = model[row.comment.id];
  if (known.removed && !terms.again) return void(++counts.removed_here);
  bool emptied = std::exchange(known.removed, false);
  if (!known.comment) {
    known.comment = row.comment;
    return void(++counts.added);
  }
  auto changed = set_by(row, known);
  if (changed == *known.comment) return void(++counts.known);
  if (!terms.update && !emptied) return void(++counts.differing);
  known.comment = changed;
  ++counts.updated;
}

void forget(Known& known) {
  known.removed |= known.comment->attributes.contains("source_id");
  known.comment.reset();
  known.voted = false;
}

class ImportContract : public WritingContract {
 protected:
  Imported import(const std::vector<ImportRow>& rows, const ImportTerms& terms = {}) {
    return wait(store_->import_rows(rows, terms)).value();
  }
  bool transactions() const { return GetParam().name != on_dynalite.name; }
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  ImportRow random_row() {
    auto number = below(known_ids);
    const char* languages[] = {"en", "de"};
    const char* texts[] = {"", "Warm", "Cold"};
    auto comment = comment_at(1000 + number, number, languages[below(2)],
                              1 + static_cast<int>(below(5)), products[number % 3]);
    comment.author = below(2) ? "Ann" : "Bo";
    comment.text = texts[below(3)];
    if (number % 4) comment.attributes["source_id"] = "r" + std::to_string(number);
    if (below(2)) comment.attributes["size"] = below(2) ? "M" : "L";
    if (below(3) == 0) comment.attributes["helpful"] = static_cast<std::int64_t>(below(3));
    if (below(3) == 0) comment.media = {{"https://img.example/1.jpg", 10, 10}};
    if (below(3) == 0) comment.reply = Reply{"", below(2) ? "Thanks" : "Sorry", 5000};
    if (transactions() && below(2)) comment.customer = customer(below(3));
    if (below(5) == 0) comment.moderation = held({}, "links", 4000);
    ImportRow row{std::move(comment), static_cast<std::uint8_t>(random_() & random_() & 31)};
    auto leave_out = [&](ImportRow::Member member, auto& value) {
      if (!row.has(member)) value = {};
    };
    if (!row.has(ImportRow::language)) row.comment.language = "und";
    leave_out(ImportRow::author, row.comment.author);
    leave_out(ImportRow::title, row.comment.title);
    leave_out(ImportRow::text, row.comment.text);
    leave_out(ImportRow::media, row.comment.media);
    return row;
  }

  void import_some() {
    std::vector<ImportRow> rows;
    for (auto count = 1 + below(8); count > 0; --count) rows.push_back(random_row());
    ImportTerms terms{.update = below(2) == 0, .again = below(4) == 0};
    Imported wanted;
    for (const auto& row : rows) import_into(model_, row, terms, wanted);
    auto retries = stand_->retries();
    auto counts = import(rows, terms);
    EXPECT_EQ(counts.named.size(), counts.differing);
    if (stand_->retries() > retries) return;
    EXPECT_EQ(counts.added, wanted.added);
    EXPECT_EQ(counts.known, wanted.known);
    EXPECT_EQ(counts.differing, wanted.differing);
    EXPECT_EQ(counts.updated, wanted.updated);
    EXPECT_EQ(counts.removed_here, wanted.removed_here);
  }

  void edit(const Ulid& id, Known& known) {
    Patch patch{.text = "by hand"};
    if (below(4) == 0) patch.attributes["source_id"] = std::nullopt;
    auto edited = wait(store_->update(id, patch));
    ASSERT_TRUE(edited) << edited.error().message;
    known.comment->text = "by hand";
    if (!patch.attributes.empty()) known.comment->attributes.erase("source_id");
  }

  void vote(const Ulid& id, Known& known) {
    if (!transactions() || !known.comment->published()) return;
    auto voted = wait(store_->votes()->vote(id, customer(100 + below(3)), Vote::helpful));
    if (!voted) {
      EXPECT_EQ(voted.error().code, ErrorCode::unavailable) << "votes are being swept";
      return;
    }
    known.comment->attributes["helpful"] = voted->helpful;
    known.voted = true;
  }

  void erase_some() {
    auto whose = customer(below(3));
    bool keep_ratings = below(2) == 0;
    if (transactions()) erase_all_of(whose, keep_ratings);
    for (auto& [id, known] : model_) {
      if (!known.comment || known.comment->customer != whose) continue;
      if (!keep_ratings || !known.comment->published()) {
        forget(known);
        continue;
      }
      known.removed |= known.comment->attributes.contains("source_id");
      anonymize(*known.comment);
    }
  }

  void act() {
    if (below(2)) return import_some();
    if (below(6) == 0) return erase_some();
    auto number = below(known_ids);
    auto at = model_.find(id_at(1000 + number, number));
    if (at == model_.end() || !at->second.comment) return;
    auto what = below(3);
    if (what == 0) edit(at->first, at->second);
    if (what == 1) vote(at->first, at->second);
    if (what != 2) return;
    ASSERT_TRUE(wait(store_->remove(at->first)));
    forget(at->second);
  }

  std::set<Ulid> kept_ids() {
    auto view = store_->view();
    std::optional<Ulid> after;
    for (bool end = false; !end;) {
      auto slice = wait(view->scan(after, 4)).value();
      if (!slice.entries.empty()) after = slice.entries.back().id;
      end = slice.end;
    }
    std::set<Ulid> kept;
    for (auto some = wait(view->removed()).value(); !some.empty();
         some = wait(view->removed()).value())
      for (const auto& id : some) EXPECT_TRUE(kept.insert(id).second);
    return kept;
  }

  void expect_as_the_model() {
    std::set<Ulid> removed;
    std::map<std::string, std::map<Cell, std::uint64_t>> cells;
    for (const auto& [id, known] : model_) {
      auto found = wait(store_->view()->find(id));
      ASSERT_EQ(found.ok(), known.comment.has_value()) << id.text();
      if (found) {
        ASSERT_EQ(*found, *known.comment) << id.text();
      }
      if (known.removed) removed.insert(id);
      if (known.comment && known.comment->published())
        ++cells[known.comment->product][cell(known.comment->language, known.comment->rating)];
    }
    ASSERT_EQ(kept_ids(), removed);
    bool follow = GetParam().counts && GetParam().name != on_stream.name;
    for (const auto& product : products) {
      std::uint64_t published = 0;
      auto counted = counts(product);
      for (const auto& [cell, comments] : cells[product]) {
        published += comments;
        ASSERT_EQ(follow ? counted.length(cell) : comments, comments);
      }
      ASSERT_EQ(follow ? counted.total() : published, published);
      ASSERT_EQ(ids(Order::newest_first, {Cell{}, {}, 1000}, product).size(), published);
    }
  }

  Model model_;
  std::mt19937_64 random_{11};
};

TEST_P(ImportContract, RowsThatAreThereGoByTheTerms) {
  auto steps = rounds(GetParam().name == on_embedded.name ? 1500 : 120);
  for (int i = 0; i < steps; ++i) {
    act();
    if (HasFatalFailure() || HasFailure()) FAIL() << "at step " << i;
    if (i % 4 == 0) expect_as_the_model();
    if (HasFatalFailure()) FAIL() << "at step " << i;
  }
  reopen();
  expect_as_the_model();
}

TEST_P(ImportContract, TheFirstRowsThatDifferAreNamed) {
  std::vector<ImportRow> rows;
  for (std::uint64_t i = 0; i < 30; ++i) rows.push_back({comment_at(1000 + i, i, "en", 5)});
  EXPECT_EQ(import(rows).added, 30u);
  for (auto& row : rows) row.comment.rating = 4;
  auto counts = import(rows);
  EXPECT_EQ(counts.differing, 30u);
  EXPECT_EQ(counts.named.size(), Imported::max_named);
  EXPECT_EQ(import({rows[3]}).named, std::vector<Ulid>{rows[3].comment.id});
  EXPECT_EQ(import(rows, {.update = true}).updated, 30u);
  EXPECT_EQ(import(rows, {.update = true}).known, 30u);
}

TEST_P(ImportContract, OfRowsWithOneIdEachMeetsTheOneBefore) {
  ImportRow first{comment_at(1000, 1, "en", 5)}, second{comment_at(1000, 1, "en", 3)};
  auto counts = import({first, first, second, first}, {.update = true});
  EXPECT_EQ(counts.added, 1u);
  EXPECT_EQ(counts.known, 1u);
  EXPECT_EQ(counts.updated, 2u);
  EXPECT_EQ(wait(store_->view()->find(first.comment.id)).value(), first.comment);
}

TEST_P(ImportContract, AnUpdateThatDoesNotFitChangesNothing) {
  auto comment = comment_at(1000, 1, "en", 5);
  for (int i = 0; i < 32; ++i) comment.attributes["a" + std::to_string(i)] = true;
  EXPECT_EQ(import({{comment}}).added, 1u);
  auto more = comment_at(1000, 1, "en", 1);
  more.attributes["b"] = true;
  EXPECT_EQ(import({{more}}, {.update = true}).differing, 1u);
  EXPECT_EQ(wait(store_->view()->find(comment.id)).value(), comment);
}

TEST_P(ImportContract, TermsMayBeForSomeProductsAlone) {
  ImportRow one{comment_at(1000, 1, "en", 5, "a1")}, other{comment_at(1001, 2, "en", 5, "b1")};
  import({one, other});
  one.comment.rating = other.comment.rating = 2;
  other.comment.product = "a1";  // what the row says is not what the store has
  auto counts = import({one, other}, {.update = true, .product = "a"});
  EXPECT_EQ(counts.updated, 1u);
  EXPECT_EQ(counts.named, std::vector<Ulid>{other.comment.id});
  EXPECT_EQ(wait(store_->view()->find(other.comment.id)).value().rating, 5);
}

TEST_P(ImportContract, IdsThatAnotherStoreRemovedAreKept) {
  ImportRow there{comment_at(1000, 1, "en", 5)}, gone{comment_at(1001, 2, "en", 5)};
  import({there});
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(wait(store_->keep_removed({there.comment.id, gone.comment.id})));
  EXPECT_EQ(kept_ids(), (std::set<Ulid>{there.comment.id, gone.comment.id}));
  EXPECT_EQ(import({there, gone}, {.update = true}).removed_here, 2u);
  EXPECT_EQ(wait(store_->view()->find(there.comment.id)).value(), there.comment);
  EXPECT_EQ(wait(store_->view()->find(gone.comment.id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(wait(store_->remove(gone.comment.id)).error().code, ErrorCode::not_found);
  auto counts = import({there, gone}, {.again = true});
  EXPECT_EQ(counts.known, 1u);
  EXPECT_EQ(counts.added, 1u);
  EXPECT_TRUE(kept_ids().empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, ImportContract,
                         testing::Values(on_embedded, on_local, on_stream, on_dynalite), name_of);

}  // namespace
}  // namespace quire
