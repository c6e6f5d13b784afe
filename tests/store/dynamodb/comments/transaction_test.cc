// A transaction has all items that must change together, and its conditions refuse outdated totals.
#include "store/dynamodb/comments/transaction.h"

#include <gtest/gtest.h>

#include <random>

#include "base/rounds.h"
#include "store/dynamodb/plain_table.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

using Kind = Action::Kind;
using About = Transaction::About::Kind;

const FacetValue german = cell("de", 1)[0];

CommentWrite insertion(const Comment& comment) {
  return {{}, comment};
}
CommentWrite removal(const Comment& comment) {
  return {comment_item(comment), {}};
}
CommentWrite update(const Comment& before, std::string language, int rating) {
  Comment after = before;
  after.language = std::move(language);
  after.rating = rating;
  return {comment_item(before), after};
}

Transaction made(const std::vector<CommentWrite>& writes,
                 const std::map<std::string, Totals>& known, const std::vector<KeyPut>& keys = {}) {
  KnownTotals totals;
  for (const auto& [product, each] : known)
    totals.emplace(product, std::make_shared<const Totals>(each));
  std::vector<const CommentWrite*> all;
  for (const auto& write : writes) all.push_back(&write);
  std::vector<const KeyPut*> puts;
  for (const auto& key : keys) puts.push_back(&key);
  return transaction_of(all, totals, 1, puts);
}

// The action on the item with this key; a test fails without one.
const Action& action_on(const Transaction& transaction, const Item& key) {
  for (const auto& action : transaction.actions) {
    if (PlainTable::key_in(action.item) == PlainTable::key_in(key)) return action;
  }
  throw std::logic_error("no action on " + PlainTable::key_in(key).first);
}

Item registry(const std::string& product) {
  return key_of("PRODUCTS", product);
}

void expect_condition(const Action& action, std::string_view text, const Item& values = {}) {
  ASSERT_TRUE(action.condition);
  EXPECT_EQ(action.condition->text, text);
  Item given;
  for (const auto& [name, attribute] : action.condition->names) {
    auto value = action.condition->values.find(":" + name.substr(1));
    if (value != action.condition->values.end()) given.emplace(attribute, value->second);
  }
  EXPECT_EQ(given, values);
}

TEST(Transaction, TheFirstCommentOfAProductAddsStatisticsAndRegistry) {
  Comment comment = comment_at(1000, 1, "en", 5);
  auto transaction = made({insertion(comment)}, {{"42", {}}});
  ASSERT_EQ(transaction.actions.size(), 6u);
  for (const auto& action : transaction.actions) EXPECT_EQ(action.kind, Kind::put);
  EXPECT_EQ(transaction.actions[0].item, comment_item(comment));
  EXPECT_EQ(transaction.about[0].kind, About::write);
  expect_condition(transaction.actions[0], "attribute_not_exists(#k)");
  auto& all = action_on(transaction, statistics_key("42", any));
  EXPECT_EQ(all.item, statistics_item("42", any, {0, 0, 0, 0, 1}));
  EXPECT_TRUE(all.item.contains("GSIPK")) << "it leads";
  expect_condition(all, "attribute_not_exists(#k)");
  auto& one = action_on(transaction, statistics_key("42", english));
  EXPECT_EQ(one.item, statistics_item("42", english, {0, 0, 0, 0, 1}));
  expect_condition(one, "attribute_not_exists(#k)");
  for (auto language : {any, english}) {
    auto& average = action_on(transaction, average_key("42", language));
    EXPECT_EQ(average.item, average_item("42", language, {0, 0, 0, 0, 1}));
    EXPECT_FALSE(average.condition) << "the condition of the statistics is enough";
  }
  EXPECT_EQ(action_on(transaction, registry("42")).item, registry("42"));
  for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(transaction.about[i].kind, About::statistics);
  EXPECT_EQ(transaction.totals.at("42"),
            (Totals{{any, {0, 0, 0, 0, 1}}, {english, {0, 0, 0, 0, 1}}}));
}

TEST(Transaction, StatisticsChangeOnlyIfTheyAreAsExpected) {
  Totals known = {{any, {1, 0, 0, 2, 3}}, {english, {1, 0, 0, 0, 3}}, {german, {0, 0, 0, 2, 0}}};
  auto transaction = made({insertion(comment_at(1000, 1, "en", 2))}, {{"42", known}});
  ASSERT_EQ(transaction.actions.size(), 5u) << "German and the registry stay as they are";
  auto& all = action_on(transaction, statistics_key("42", any));
  EXPECT_EQ(all.item, statistics_item("42", any, {1, 1, 0, 2, 3}));
  constexpr std::string_view five = "#a = :a AND #b = :b AND #c = :c AND #d = :d AND #e = :e";
  expect_condition(all, five,
                   {{"count_1", number(1)},
                    {"count_2", number(0)},
                    {"count_3", number(0)},
                    {"count_4", number(2)},
                    {"count_5", number(3)}});
  expect_condition(action_on(transaction, statistics_key("42", english)), five,
                   {{"count_1", number(1)},
                    {"count_2", number(0)},
                    {"count_3", number(0)},
                    {"count_4", number(0)},
                    {"count_5", number(3)}});
}

TEST(Transaction, TheLastCommentOfAProductRemovesStatisticsAndRegistry) {
  Comment comment = comment_at(1000, 1, "en", 5);
  Totals known = {{any, {0, 0, 0, 0, 1}}, {english, {0, 0, 0, 0, 1}}};
  auto transaction = made({removal(comment)}, {{"42", known}});
  ASSERT_EQ(transaction.actions.size(), 6u);
  for (const auto& action : transaction.actions) {
    EXPECT_EQ(action.kind, Kind::remove);
    EXPECT_EQ(action.item.size(), 2u) << "a key";
  }
  expect_condition(action_on(transaction, comment_key(comment.id)),
                   "#a = :a AND #b = :b AND #c = :c",
                   {{"data", comment_item(comment).at("data")},
                    {"language", string("en")},
                    {"rating", number(5)}});
  EXPECT_NO_THROW(action_on(transaction, statistics_key("42", any)));
  EXPECT_NO_THROW(action_on(transaction, statistics_key("42", english)));
  EXPECT_NO_THROW(action_on(transaction, registry("42")));
  EXPECT_EQ(transaction.totals.at("42"), Totals{});
}

TEST(Transaction, AMoveSubtractsFromOneListAndAddsToAnother) {
  Comment comment = comment_at(1000, 1, "en", 5);
  Totals known = {{any, {0, 0, 0, 1, 1}}, {english, {0, 0, 0, 0, 1}}, {german, {0, 0, 0, 1, 0}}};
  auto transaction = made({update(comment, "de", 1)}, {{"42", known}});
  EXPECT_EQ(action_on(transaction, statistics_key("42", english)).kind, Kind::remove);
  EXPECT_EQ(action_on(transaction, statistics_key("42", german)).item,
            statistics_item("42", german, {1, 0, 0, 1, 0}));
  auto& all = action_on(transaction, statistics_key("42", any));
  EXPECT_EQ(all.item, statistics_item("42", any, {1, 0, 0, 1, 0}));
  EXPECT_FALSE(all.item.contains("GSIPK")) << "it leads no longer";
  EXPECT_EQ(transaction.actions.size(), 7u) << "the product stays in the registry";
  // Within a rating the sum over all languages stays untouched.
  EXPECT_EQ(made({update(comment, "de", 5)}, {{"42", known}}).actions.size(), 5u);
}

TEST(Transaction, OnlyWritesThatChangeListsMoveAComment) {
  Comment comment = comment_at(1000, 1, "en", 5);
  CommentWrite text = update(comment, "en", 5);
  text.after->text = "other";
  EXPECT_FALSE(moves_comment(text));
  EXPECT_TRUE(moves_comment(update(comment, "de", 5)));
  EXPECT_TRUE(moves_comment(update(comment, "en", 4)));
  EXPECT_TRUE(moves_comment(insertion(comment)));
  EXPECT_TRUE(moves_comment(removal(comment)));
  EXPECT_EQ(product_of(insertion(comment)), "42");
  EXPECT_EQ(product_of(removal(comment)), "42");
}

TEST(Transaction, AnEmptyStatisticsItemIsRemoved) {
  Totals known = {{any, {0, 0, 0, 0, 1}}, {english, {0, 0, 0, 0, 1}}, {german, {}}};
  auto transaction = made({insertion(comment_at(1000, 1, "en", 5))}, {{"42", known}});
  EXPECT_EQ(action_on(transaction, statistics_key("42", german)).kind, Kind::remove);
  EXPECT_FALSE(transaction.totals.at("42").contains(german));
}

// Either the table miscounts, and quire verify finds it; or the known totals are older than the
// comment. Only the table can tell.
TEST(Transaction, AnUncountedCommentGoesOnlyIfTheTableDoesNotCountItEither) {
  Comment comment = comment_at(1000, 1, "en", 5);
  auto transaction = made({removal(comment)}, {{"42", {}}});
  ASSERT_EQ(transaction.actions.size(), 3u);
  for (FacetValue language : {any, english})
    expect_condition(action_on(transaction, statistics_key("42", language)),
                     "attribute_not_exists(#k)");
  Totals known = {{any, {1, 0, 0, 0, 0}}, {english, {1, 0, 0, 0, 0}}};
  transaction = made({removal(comment)}, {{"42", known}});
  for (FacetValue language : {any, english}) {
    auto& action = action_on(transaction, statistics_key("42", language));
    EXPECT_EQ(action.item, statistics_item("42", language, {1, 0, 0, 0, 0}));
    EXPECT_EQ(action.condition->values.at(":e"), number(0));
  }
}

TEST(Transaction, WritesOfSeveralProductsAndLanguagesAreOneTransaction) {
  Comment moved = comment_at(1000, 9, "en", 5);
  auto transaction =
      made({insertion(comment_at(1000, 1, "en", 5)), insertion(comment_at(1000, 2, "de", 4)),
            update(moved, "de", 5), insertion(comment_at(1000, 3, "en", 1, "b"))},
           {{"42", {{any, {0, 0, 0, 0, 1}}, {english, {0, 0, 0, 0, 1}}}},
            {"b", {}},
            {"not concerned", {{any, {1, 0, 0, 0, 0}}}}});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(transaction.about[i].kind, About::write);
    EXPECT_EQ(transaction.about[i].index, i);
  }
  ASSERT_EQ(transaction.actions.size(), 4u + 4u + 5u) << "English of 42 gains one and loses one";
  EXPECT_EQ(
      transaction.totals,
      (std::map<std::string, Totals>{
          {"42", {{any, {0, 0, 0, 1, 2}}, {english, {0, 0, 0, 0, 1}}, {german, {0, 0, 0, 1, 1}}}},
          {"b", {{any, {1, 0, 0, 0, 0}}, {english, {1, 0, 0, 0, 0}}}}}));
}

TEST(Transaction, AKeyIsTakenOnlyIfItIsFree) {
  Item key = key_of("ONCE#1", "ONCE#1");
  key.emplace("expires", number(1000));
  auto transaction = made({insertion(comment_at(1000, 1, "en", 5))}, {{"42", {}}}, {{key, 700}});
  EXPECT_EQ(transaction.about.back().kind, About::key);
  EXPECT_EQ(transaction.actions.back().item, key);
  const auto& condition = *transaction.actions.back().condition;
  EXPECT_TRUE(PlainTable::holds(condition, nullptr));
  for (std::uint64_t expires : {701u, 700u, 1u}) {
    Item held = key;
    held["expires"] = number(expires);
    EXPECT_EQ(PlainTable::holds(condition, &held), expires <= 700) << expires;
  }
}

// Random writes to a few products, each transaction built on totals of a while ago. It must be
// applied only if those totals make no difference.
TEST(Transaction, NoAppliedTransactionMiscounts) {
  std::mt19937_64 random(20261121);
  auto below = [&](std::size_t end) { return random() % end; };
  const std::string languages[] = {"en", "de", "und"}, products[] = {"a", "b/c"};
  PlainTable table;
  std::map<std::string, Totals> known;
  std::uint64_t numbers = 0;
  std::size_t applied = 0, outdated = 0, refused = 0;
  for (int round = 0; round < rounds(8000); ++round) {
    auto comments = comments_in(table);
    std::vector<CommentWrite> writes;
    for (auto count = 1 + below(4); count > 0; --count) {
      // Few enough that products come and go.
      if (below(comments.size() + 4) < 4) {
        writes.push_back(insertion(comment_at(1000, ++numbers, languages[below(3)],
                                              static_cast<int>(below(5)) + 1, products[below(2)])));
      } else {
        auto some = comments.begin() + static_cast<std::ptrdiff_t>(below(comments.size()));
        writes.push_back(below(2)
                             ? removal(*some)
                             : update(*some, languages[below(3)], 1 + static_cast<int>(below(5))));
        comments.erase(some);
      }
    }
    for (const auto& product : products) {
      if (below(3) || !known.contains(product)) known[product] = totals_in(table, product);
    }
    bool right = true;
    auto transaction = made(writes, known);
    for (const auto& [product, unused] : transaction.totals)
      right &= known[product] == totals_in(table, product);
    auto before = table.items;
    auto reasons = table.apply(transaction.actions);
    ASSERT_EQ(beside_comments(table), recount(table));
    ++(right ? applied : outdated);
    if (!reasons.empty()) {
      EXPECT_FALSE(right) << "what is known was right";
      EXPECT_EQ(table.items, before);
      ++refused;
    } else if (right) {
      for (const auto& [product, totals] : transaction.totals)
        EXPECT_EQ(totals, totals_in(table, product));
    }
  }
  EXPECT_GT(applied, rounds(1200u));
  EXPECT_GT(refused, outdated / 2);
}

Comment waiting(Comment comment) {
  comment.moderation = held({}, "links", 4000);
  return comment;
}

TEST(Transaction, ACommentThatIsNotPublishedCountsNothing) {
  Comment comment = waiting(comment_at(1000, 1, "en", 5)), other = comment;
  other.rating = 2;
  std::vector<CommentWrite> writes = {
      {{}, comment}, {comment_item(comment), other}, {comment_item(comment), {}}};
  for (const auto& write : writes) {
    EXPECT_FALSE(moves_comment(write));
    EXPECT_EQ(made({write}, {{"42", {}}}).actions.size(), 1u);
  }
}

TEST(Transaction, PublishingIsAnInsertAndHoldingARemoval) {
  Comment comment = comment_at(1000, 1, "en", 5);
  Item item = comment_item(comment), pending = comment_item(waiting(comment));
  item["mine"] = pending["mine"] = string("kept");
  CommentWrite publishes{pending, comment}, holds{item, waiting(comment)};
  EXPECT_TRUE(moves_comment(publishes));
  EXPECT_TRUE(moves_comment(holds));
  Totals one{{any, {0, 0, 0, 0, 1}}, {english, {0, 0, 0, 0, 1}}};
  auto published = made({publishes}, {{"42", {}}}), held = made({holds}, {{"42", one}});
  EXPECT_EQ(published.actions.front().item, item);
  EXPECT_EQ(published.totals.at("42"), one);
  EXPECT_EQ(held.actions.front().item, pending) << "no key of a list is left";
  EXPECT_TRUE(held.totals.at("42").empty());
  EXPECT_EQ(action_on(held, registry("42")).kind, Kind::remove);
}

}  // namespace
}  // namespace quire::dynamodb
