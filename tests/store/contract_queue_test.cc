// The queue of moderators, read page by page; and what an export finds of published comments.
#include "base/clock.h"
#include "contract_moderation.h"

namespace quire {
namespace {

TEST_P(ModerationContract, TheQueueIsReadInBothOrdersInPagesAndUnderAFilter) {
  for (std::uint64_t i = 0; i < 12; ++i)
    insert(held(1000 + i, i, i % 2 ? "de" : "en", 1 + static_cast<int>(i % 5), i % 3 ? "42" : "x"));
  for (auto order : {Order::oldest_first, Order::newest_first}) {
    std::vector<Ulid> seen;
    std::optional<Ulid> after;
    do {
      auto page = queue({.order = order, .after = after, .limit = 5});
      for (const auto& row : page.rows) seen.push_back(row.comment.id);
      after = page.next;
    } while (after);
    EXPECT_EQ(seen.size(), 12u);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end(), [&](const Ulid& a, const Ulid& b) {
      return precedes(a, b, order);
    }));
  }
  EXPECT_EQ(queue({.product = "x"}).rows.size(), 4u);
  EXPECT_EQ(queue({.languages = {"de"}}).rows.size(), 6u);
  EXPECT_EQ(queue({.product = "42", .languages = {"de", "en"}, .ratings = {2}}).rows.size(), 2u);
}

// Pages walked from the start, and from each of them back.
TEST_P(ModerationContract, TheQueueIsReadBackwards) {
  for (std::uint64_t i = 0; i < 11; ++i) insert(held(1000 + i, i, "en", 5, i % 3 ? "42" : "x"));
  auto ids_of = [](const QueuePage& page) {
    std::vector<Ulid> ids;
    for (const auto& row : page.rows) ids.push_back(row.comment.id);
    return ids;
  };
  for (auto order : {Order::oldest_first, Order::newest_first}) {
    for (std::string product : {"", "42"}) {
      std::vector<std::vector<Ulid>> there;
      std::optional<Ulid> previous;
      QueueQuestion question{.product = product, .order = order, .limit = 3};
      for (bool first = true; first || question.after; first = false) {
        auto page = queue(question);
        EXPECT_EQ(page.previous.has_value(), !first);
        there.push_back(ids_of(page));
        question.after = page.next;
        previous = page.previous;
      }
      std::vector<std::vector<Ulid>> back{there.back()};
      while (previous) {
        question.after = {};
        question.before = previous;
        auto page = queue(question);
        EXPECT_TRUE(page.next);
        back.insert(back.begin(), ids_of(page));
        previous = page.previous;
      }
      if (product.empty()) {
        EXPECT_EQ(back, there);
      }
      std::vector<Ulid> all_there, all_back;
      for (const auto& page : there) all_there.insert(all_there.end(), page.begin(), page.end());
      for (const auto& page : back) all_back.insert(all_back.end(), page.begin(), page.end());
      EXPECT_EQ(all_back, all_there);
      EXPECT_EQ(all_there.size(), product.empty() ? 11u : 7u);
    }
  }
}

// `filter` is all but the order and the place of a page. Each page leads on and back.
TEST_P(ModerationContract, TheQueueIsReadOfATimeAndByWhatCommentsHave) {
  for (std::uint64_t i = 0; i < 24; ++i) {
    auto comment = held(1000 + 10 * i, i);
    if (i % 2) comment.reply = Reply{.text = "Thanks", .created_ms = 9000};
    if (i % 3) comment.attributes["verified"] = i % 3 == 1;
    if (i % 4 == 0) comment.text.clear();
    insert(comment);
  }
  auto numbers = [&](QueueQuestion question) {
    std::vector<std::uint64_t> out;
    question.limit = 3;
    do {
      auto page = queue(question);
      if (!page.rows.empty()) {
        EXPECT_EQ(page.previous.has_value(), question.after.has_value());
      }
      for (const auto& row : page.rows) out.push_back((row.comment.id.ms() - 1000) / 10);
      question.after = page.next;
    } while (question.after);
    if (question.order == Order::newest_first) std::reverse(out.begin(), out.end());
    return out;
  };
  auto expected = [](auto wanted) {
    std::vector<std::uint64_t> out;
    for (std::uint64_t i = 0; i < 24; ++i)
      if (wanted(i)) out.push_back(i);
    return out;
  };
  for (auto order : {Order::oldest_first, Order::newest_first}) {
    EXPECT_EQ(numbers({.since_ms = 1050, .order = order}), expected([](auto i) { return i >= 5; }));
    EXPECT_EQ(numbers({.until_ms = 1050, .order = order}), expected([](auto i) { return i < 5; }));
    EXPECT_EQ(numbers({.since_ms = 1041, .until_ms = 1111, .order = order}),
              expected([](auto i) { return i > 4 && i < 12; }));
    EXPECT_EQ(numbers({.since_ms = 2000, .order = order}), std::vector<std::uint64_t>());
    EXPECT_EQ(numbers({.replied = true, .order = order}), expected([](auto i) { return i % 2; }));
    EXPECT_EQ(numbers({.verified = true, .order = order}),
              expected([](auto i) { return i % 3 == 1; }));
    EXPECT_EQ(numbers({.verified = false, .has_text = false, .order = order}),
              expected([](auto i) { return i % 3 != 1 && i % 4 == 0; }));
  }
}

TEST_P(ModerationContract, TheQueueIsReadByWords) {
  for (std::uint64_t i = 0; i < 12; ++i) {
    auto comment = held(1000 + i, i);
    comment.text = i % 3 ? "It fits." : "The zippers broke.";
    insert(comment);
  }
  QueueQuestion question{.limit = 3};
  ASSERT_TRUE(question.look_for("ZIPPER"));
  auto page = queue(question);
  ASSERT_EQ(page.rows.size(), 3u);
  EXPECT_EQ(page.total, std::nullopt);
  question.after = page.next;
  page = queue(question);
  ASSERT_EQ(page.rows.size(), 1u);
  EXPECT_EQ(page.rows[0].comment.id.ms(), 1009u);
  EXPECT_EQ(page.next, std::nullopt);
  EXPECT_TRUE(page.previous);
}

TEST_P(ModerationContract, AStoreHasTheCommentsOfAnyStatusOrSaysThatItHasNoSuchList) {
  insert(comment_at(1000, 1, "en", 5, "42"));
  insert(held(1001, 2, "de", 4, "x"));
  insert(comment_at(1002, 3, "de", 3, "x"));
  insert(held(1003, 4, "en", 2, "42"));
  auto view = store_->view();
  auto all = wait(view->moderation()->queue({.kind = Kind::any, .order = Order::newest_first}));
  if (!all) {
    EXPECT_EQ(all.error().code, ErrorCode::invalid_parameter);
    EXPECT_EQ(all.error().parameter, "status");
    EXPECT_NE(all.error().message.find("stream"), std::string::npos);
    EXPECT_FALSE(wait(view->moderation()->queue({.kind = Kind::published})));
    return;
  }
  auto ratings = [&](QueueQuestion question) {
    std::vector<int> out;
    for (const auto& row : queue(std::move(question)).rows) out.push_back(row.comment.rating);
    return out;
  };
  EXPECT_EQ(ratings({.kind = Kind::any}), (std::vector<int>{5, 4, 3, 2}));
  EXPECT_EQ(ratings({.kind = Kind::any, .product = "x"}), (std::vector<int>{4, 3}));
  EXPECT_EQ(ratings({.kind = Kind::published}), (std::vector<int>{5, 3}));
  EXPECT_EQ(ratings({.kind = Kind::published, .product = "42"}), (std::vector<int>{5}));
  EXPECT_EQ(ratings({.kind = Kind::published, .product = "none"}), (std::vector<int>{}));
  EXPECT_EQ(ratings({.kind = Kind::any, .product_prefix = "4", .order = Order::newest_first}),
            (std::vector<int>{2, 5}));
  EXPECT_EQ(queue({.kind = Kind::any}).total, 4u);
  EXPECT_EQ(queue({.kind = Kind::published}).total, 2u);
  EXPECT_EQ(queue({.kind = Kind::published, .languages = {"de"}}).total, std::nullopt);
}

TEST_P(ModerationContract, AnImportBringsReportsWithTheirAnswer) {
  auto open = comment_at(1000, 1, "en", 5), answered = comment_at(1001, 2, "en", 5);
  auto pending = held(1002, 3);
  for (const auto& comment : {open, answered, pending}) insert(comment);
  auto keep = [&](const Ulid& id, std::uint8_t person, bool is_answered) {
    auto report = report_of(person);
    report.answered = is_answered;
    return wait(store_->moderation()->keep_report(id, report));
  };
  for (std::uint8_t person : {1, 2, 2}) {
    EXPECT_TRUE(keep(open.id, person, false));
    EXPECT_TRUE(keep(answered.id, person, true));
    EXPECT_TRUE(keep(pending.id, person, false));
  }
  EXPECT_EQ(keep(id_at(7, 7), 1, false).error().code, ErrorCode::not_found);
  EXPECT_EQ(queued(Kind::reported), (std::vector<Ulid>{open.id}));
  EXPECT_EQ(queue({}).rows.at(0).reports.size(), 2u);
  EXPECT_EQ(moderated(), (std::map<Ulid, std::string>{{open.id, "1 2 "}, {answered.id, "+1 +2 "}}));
  // Another report opens those that were answered.
  ASSERT_FALSE(wait(store_->moderation()->report(answered.id, report_of(3), 0)).value());
  EXPECT_EQ(moderated()[answered.id], "1 2 3 ");
}

// The clock is set by the time that the store is told.
TEST_P(ModerationContract, ContactsGo180DaysAfterTheDecision) {
  auto published = comment_at(1000, 1, "en", 5), rejected = comment_at(1001, 2, "en", 5),
       waits = comment_at(1002, 3, "en", 5);
  auto contact = [&](std::uint8_t person) {
    return Contact{"Ann " + std::to_string(person), "ann@example.com"};
  };
  for (const auto& comment : {published, rejected, waits}) {
    insert(comment);
    for (std::uint8_t person : {1, 2}) {
      auto report = report_of(person);
      if (person == 1) report.contact = contact(person);
      ASSERT_TRUE(wait(store_->moderation()->report(comment.id, report, 0)));
    }
  }
  auto contacts = [&](const Ulid& id) {
    std::string out;
    for (auto kind : {Kind::reported, Kind::rejected, Kind::pending})
      for (const auto& row : queue({.kind = kind}).rows)
        for (const auto& report : row.reports)
          if (row.comment.id == id)
            out += report.contact.name + (report.contact.decided_ms ? "!" : "") + ";";
    return out;
  };
  auto forget = [&](std::uint64_t ms) {
    return wait(store_->moderation()->forget_contacts(ms)).value();
  };
  auto before = system_ms();
  auto to = [&](const Ulid& id, CommentStatus status) {
    ASSERT_TRUE(wait(store_->update(id, {.status = status}, {},
                                    set(status, status == CommentStatus::rejected ? "spam" : ""))));
  };
  to(waits.id, CommentStatus::pending);
  to(published.id, CommentStatus::published);
  to(rejected.id, CommentStatus::rejected);
  EXPECT_EQ(contacts(rejected.id), "Ann 1!;;");
  EXPECT_EQ(contacts(waits.id), "Ann 1;;") << "no moderator has published or rejected it";
  EXPECT_EQ(forget(before), 0u);
  // Another notice opens the reports again; the one that was decided on is due all the same.
  auto another = report_of(3);
  another.contact = contact(3);
  ASSERT_TRUE(wait(store_->moderation()->report(published.id, another, 0)));
  EXPECT_EQ(contacts(published.id), "Ann 1!;;Ann 3;");
  EXPECT_EQ(forget(system_ms() + 1), 2u);
  EXPECT_EQ(contacts(published.id), ";;Ann 3;");
  EXPECT_EQ(contacts(rejected.id), ";;") << "the reports stay";
  EXPECT_EQ(contacts(waits.id), "Ann 1;;");
  EXPECT_EQ(forget(system_ms() + 1), 0u);
}

TEST_P(ModerationContract, AnExportFindsNotesDecisionsAndReportsOfPublishedComments) {
  auto plain = comment_at(1000, 1, "en", 5), noted = comment_at(1001, 2, "en", 5),
       other = comment_at(1002, 3, "en", 5, "43"), pending = held(1003, 4);
  for (const auto& comment : {plain, noted, other, pending}) insert(comment);
  decide(noted.id, CommentStatus::published).value();
  auto moderate = [](const Comment&, Comment& after) -> Status {
    after.moderation.note = "Known";
    return Done{};
  };
  ASSERT_TRUE(wait(store_->update(noted.id, {}, {}, moderate)));
  ASSERT_TRUE(wait(store_->moderation()->report(other.id, report_of(1), 0)));
  ASSERT_TRUE(wait(store_->moderation()->keep_report(pending.id, report_of(1))));
  using Found = std::map<Ulid, std::string>;
  EXPECT_EQ(moderated(), (Found{{noted.id, "Known! "}, {other.id, "1 "}}));
  EXPECT_EQ(moderated("42"), (Found{{noted.id, "Known! "}}));
  EXPECT_EQ(moderated("43"), (Found{{other.id, "1 "}}));
  ASSERT_TRUE(wait(store_->update(other.id, {.status = CommentStatus::published}, {},
                                  set(CommentStatus::published))));
  EXPECT_EQ(moderated("43"), (Found{{other.id, "! +1 "}}));
}

}  // namespace
}  // namespace quire
