// What a store keeps of customers: their own comments, what binds a new one, and erasure.
#include <boost/json.hpp>
#include <random>
#include <thread>

#include "base/rounds.h"
#include "base/text.h"
#include "contract.h"
#include "model/comment_json.h"
#include "stands.h"

namespace quire {
namespace {

CustomerHash customer(std::uint8_t number) {
  CustomerHash hash;
  for (std::size_t i = 0; i < hash.bytes.size(); ++i)
    hash.bytes[i] = static_cast<std::uint8_t>(number + 7 * i);
  return hash;
}

Comment by(std::uint8_t writer, std::uint64_t number, std::string product = "42") {
  auto comment =
      comment_at(1000 + number, number, "en", 1 + static_cast<int>(number % 5), std::move(product));
  comment.customer = customer(writer);
  return comment;
}

Comment held_by(std::uint8_t writer, std::uint64_t number, std::string product = "42") {
  auto comment = by(writer, number, std::move(product));
  comment.moderation = held({}, "links", 4000);
  return comment;
}

const CustomerTerms once{.once = true};

CustomerTerms with_ticket(std::uint8_t number, bool once = false) {
  return {once, Ticket{{number}, 9'000'000}, 5000};
}

class CustomersContract : public WritingContract {
 protected:
  Result<std::string> post(const Comment& comment, const CustomerTerms& terms = {}) {
    return wait(store_->insert(comment, {}, terms));
  }
  Result<Comment> find(const Ulid& id) { return wait(store_->view()->find(id)); }
  std::vector<Comment> own(std::uint8_t writer, std::size_t at_once = 3) {
    std::vector<Comment> out;
    std::optional<Ulid> after;
    do {
      auto view = store_->view();
      auto page = wait(view->customers()->written_by(customer(writer), after, at_once)).value();
      EXPECT_LE(page.comments.size(), at_once);
      std::move(page.comments.begin(), page.comments.end(), std::back_inserter(out));
      after = page.next;
    } while (after);
    return out;
  }
  bool has_published(std::uint8_t writer) {
    auto view = store_->view();
    return wait(view->customers()->has_published(customer(writer))).value();
  }
  Erased erase(std::uint8_t writer, bool keep_ratings = false) {
    return erase_all_of(customer(writer), keep_ratings);
  }
  void decide(const Ulid& id, CommentStatus status) {
    auto moderate = [=](const Comment&, Comment& after) -> Status {
      after.moderation = {.status = status};
      if (status == CommentStatus::rejected) after.moderation.reason = "spam";
      return Done{};
    };
    ASSERT_TRUE(wait(store_->update(id, {}, {}, moderate)));
  }
  void expect_written(const Result<std::string>& refused, const Ulid& first) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::already_written) << refused.error().message;
    EXPECT_EQ(refused.error().comment, first.text());
  }
};

TEST_P(CustomersContract, ACustomersCommentsOfAnyStatusAreReadByPages) {
  std::vector<Comment> wanted;
  for (std::uint64_t i = 0; i < 7; ++i) {
    auto comment = i % 2 ? held_by(1, i, "a") : by(1, i, "b");
    post(comment).value();
    wanted.insert(wanted.begin(), comment);
    post(by(2, 100 + i)).value();
    post(comment_at(2000 + i, i, "en", 5)).value();
  }
  EXPECT_EQ(own(1), wanted);
  EXPECT_EQ(own(1, 7), wanted);
  EXPECT_EQ(own(2).size(), 7u);
  EXPECT_TRUE(own(3).empty());
  decide(wanted[0].id, CommentStatus::rejected);
  ASSERT_TRUE(wait(store_->remove(wanted[1].id)));
  auto left = own(1);
  ASSERT_EQ(left.size(), 6u);
  EXPECT_EQ(left[0].moderation.status, CommentStatus::rejected);
  EXPECT_EQ(left[1], wanted[2]);
}

TEST_P(CustomersContract, NoAnswerToVisitorsHasTheCustomer) {
  auto comment = by(1, 1);
  auto document = post(comment).value();
  EXPECT_EQ(document_json(document).find(comment.customer->text()), std::string_view::npos);
  auto view = store_->view();
  auto found = wait(view->get(comment.id)).value();
  EXPECT_EQ(document_json(found).find("customer"), std::string_view::npos);
  auto scanned = wait(view->scan({}, 10)).value();
  ASSERT_EQ(scanned.entries.size(), 1u);
  auto exported = exported_json(scanned.entries[0].document);
  EXPECT_EQ(std::get<Row>(parse_row(exported).value()).draft.customer, comment.customer);
}

TEST_P(CustomersContract, OnceCountsACommentInAnyStatusUntilItIsRemoved) {
  auto first = held_by(1, 1);
  post(first, once).value();
  expect_written(post(by(1, 2), once), first.id);
  decide(first.id, CommentStatus::published);
  expect_written(post(by(1, 3), once), first.id);
  decide(first.id, CommentStatus::rejected);
  expect_written(post(by(1, 4), once), first.id);
  post(by(1, 5, "4"), once).value();  // another product
  post(by(2, 6), once).value();       // another customer
  post(comment_at(2000, 1, "en", 5), once).value();
  ASSERT_TRUE(wait(store_->remove(first.id)));
  auto second = by(1, 7);
  post(second, once).value();
  expect_written(post(by(1, 8), once), second.id);
  EXPECT_EQ(own(1).size(), 2u);
}

TEST_P(CustomersContract, OnceCountsWhatWasWrittenWithoutIt) {
  auto first = by(1, 1);
  post(first).value();
  post(by(1, 2)).value();
  expect_written(post(by(1, 3), once), first.id);
  std::vector<Comment> imported = {by(2, 10), held_by(2, 11, "x"), by(3, 12)};
  ASSERT_EQ(wait(store_->insert_many(imported)).value(), 3u);
  ASSERT_EQ(wait(store_->insert_many(imported)).value(), 0u);
  expect_written(post(by(2, 20), once), imported[0].id);
  expect_written(post(by(2, 21, "x"), once), imported[1].id);
  EXPECT_EQ(own(2), (std::vector<Comment>{imported[1], imported[0]}));
}

TEST_P(CustomersContract, ATicketMakesOneComment) {
  auto first = by(1, 1);
  post(first, with_ticket(1)).value();
  expect_written(post(by(1, 2), with_ticket(1)), first.id);
  post(by(1, 3), with_ticket(2)).value();
  expect_written(post(by(1, 4), with_ticket(3, true)), first.id);
  ASSERT_TRUE(wait(store_->remove(first.id)));
  expect_written(post(by(1, 5), with_ticket(1)), first.id);
  reopen();
  expect_written(post(by(1, 6), with_ticket(1)), first.id);
  EXPECT_EQ(own(1).size(), 1u);
}

TEST_P(CustomersContract, ATicketThatHasEndedMakesNone) {
  CustomerTerms late{.ticket = Ticket{{1}, 5000}, .now_ms = 5000};
  EXPECT_EQ(post(by(1, 1), late).error().code, ErrorCode::forbidden);
}

TEST_P(CustomersContract, ARepeatedKeyIsAnsweredThoughTheTermsRefuseASecond) {
  auto now = system_ms();
  auto comment = by(1, 1);
  RequestKey key{{1}, {2}, now};
  CustomerTerms terms = with_ticket(1, true);
  auto first = wait(store_->insert(comment, key, terms)).value();
  EXPECT_EQ(wait(store_->insert(by(1, 2), key, terms)).value(), first);
  auto other = wait(store_->insert(by(1, 3), RequestKey{{2}, {2}, now}, terms));
  expect_written(other, comment.id);
}

TEST_P(CustomersContract, AnEditKeepsTheCustomerAndBelongsToTheCustomer) {
  auto comment = by(1, 1);
  post(comment).value();
  Condition own_one{.customer = customer(1)}, others{.customer = customer(2)};
  auto refused = wait(store_->update(comment.id, {.text = "new"}, others));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  ASSERT_TRUE(wait(store_->update(comment.id, {.language = "de", .text = "new"}, own_one)));
  EXPECT_EQ(find(comment.id)->customer, comment.customer);
  EXPECT_EQ(own(1).at(0).text, "new");
  EXPECT_FALSE(wait(store_->remove(comment.id, others)));
  ASSERT_TRUE(wait(store_->remove(comment.id, own_one)));
  EXPECT_TRUE(own(1).empty());
}

TEST_P(CustomersContract, TheStoreKnowsWhetherACustomerHasAPublishedComment) {
  EXPECT_FALSE(has_published(1));
  auto comment = held_by(1, 1);
  post(comment).value();
  post(held_by(1, 2)).value();
  post(by(2, 3)).value();
  EXPECT_FALSE(has_published(1));
  decide(comment.id, CommentStatus::published);
  EXPECT_TRUE(has_published(1));
  decide(comment.id, CommentStatus::rejected);
  EXPECT_FALSE(has_published(1));
}

TEST_P(CustomersContract, OfPostsAtOnceOneIsTaken) {
  constexpr int writers = 6, rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    auto product = "p" + std::to_string(round);
    std::atomic<int> taken = 0, refused = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < writers; ++i) {
      threads.emplace_back([&, i] {
        auto number = static_cast<std::uint64_t>(round * writers + i);
        auto terms = round % 2 ? once : with_ticket(static_cast<std::uint8_t>(round));
        auto done = wait(store_->insert(by(1, number, product), {}, terms));
        taken += done.ok();
        refused += !done && done.error().code == ErrorCode::already_written;
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(taken, 1);
    EXPECT_EQ(refused, writers - 1);
  }
  EXPECT_EQ(own(1).size(), static_cast<std::size_t>(rounds));
}

TEST_P(CustomersContract, AnErasureLeavesNothingOfACustomer) {
  auto now = system_ms();
  auto other = by(2, 1);
  post(other).value();
  post(by(1, 2), with_ticket(1)).value();
  post(held_by(1, 3)).value();
  wait(store_->insert(by(1, 4), RequestKey{{1}, {2}, now}, once)).error();
  wait(store_->insert(by(1, 5, "x"), RequestKey{{1}, {2}, now}, once)).value();
  wait(store_->moderation()->report(other.id, {customer(1).person(), 6000, "spam", "Look"}, 0))
      .value();
  wait(store_->moderation()->report(other.id, {customer(3).person(), 6001, "spam", "Look"}, 0))
      .value();
  auto before = store_->view();
  auto reports = wait(before->customers()->reports_by(customer(1))).value();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].comment, other.id);
  EXPECT_EQ(reports[0].report.note, "Look");
  before.reset();
  auto erased = erase(1);
  EXPECT_EQ(erased.comments, 3u);
  EXPECT_EQ(erased.emptied, 0u);
  EXPECT_EQ(erased.reports, 1u);
  EXPECT_EQ(erased.answers, 1u);
  EXPECT_EQ(erased.tickets, 1u);
  EXPECT_TRUE(own(1).empty());
  EXPECT_EQ(own(2), std::vector<Comment>{other});
  auto view = store_->view();
  auto queue = wait(view->moderation()->queue({.kind = QueueQuestion::Kind::reported})).value();
  ASSERT_EQ(queue.rows.size(), 1u);
  ASSERT_EQ(queue.rows[0].reports.size(), 1u);
  EXPECT_EQ(queue.rows[0].reports[0].person, customer(3).person());
  EXPECT_TRUE(wait(store_->view()->customers()->reports_by(customer(1)))->empty());
  auto again = erase(1);
  EXPECT_EQ(again.comments + again.reports + again.answers + again.tickets, 0u);
  post(by(1, 8), with_ticket(1, true)).value();  // the customer is a new one
}

TEST_P(CustomersContract, AnErasureMayKeepRatings) {
  auto kept = by(1, 1);
  kept.attributes = {
      {"verified", true}, {"size", "ask Ann"}, {"tags", std::vector<std::string>{"Ann"}}};
  post(kept).value();
  post(held_by(1, 2, "x")).value();
  wait(store_->moderation()->report(kept.id, {customer(3).person(), 6001, "spam", "Ann lies"}, 0))
      .value();
  auto erased = erase(1, true);
  EXPECT_EQ(erased.comments, 1u);
  EXPECT_EQ(erased.emptied, 1u);
  auto rating = find(kept.id).value();
  EXPECT_EQ(rating.rating, kept.rating);
  EXPECT_EQ(rating.author + rating.title + rating.text, "");
  EXPECT_EQ(rating.attributes, (Attributes{{"verified", true}}));
  EXPECT_FALSE(rating.customer);
  QueueQuestion reported{.kind = QueueQuestion::Kind::reported};
  EXPECT_TRUE(wait(store_->view()->moderation()->queue(reported))->rows.empty());
  post(by(1, 3), once).value();
}

// Random deeds of few customers beside a plain list of their comments.
TEST_P(CustomersContract, RandomDeedsLeaveEachCustomersOwnComments) {
  std::mt19937 random(30);
  std::map<Ulid, Comment> model;
  auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  auto first_of = [&](std::uint8_t writer, const std::string& product) {
    return std::find_if(model.begin(), model.end(), [&](const auto& each) {
      return each.second.customer == customer(writer) && each.second.product == product;
    });
  };
  for (std::uint64_t i = 0; i < (sanitized ? 100 : 240); ++i) {
    auto deed = below(12);
    auto writer = static_cast<std::uint8_t>(below(4));
    auto product = std::string(1, static_cast<char>('a' + below(4)));
    auto at = model.begin();
    if (!model.empty()) std::advance(at, static_cast<long>(below(model.size())));
    if (model.empty() || deed < 6) {
      auto comment = deed % 2 ? held_by(writer, i, product) : by(writer, i, product);
      auto done = post(comment, deed < 4 ? once : CustomerTerms{});
      auto first = deed < 4 ? first_of(writer, product) : model.end();
      if (first != model.end()) {
        expect_written(done, first->first);
      } else {
        ASSERT_TRUE(done) << done.error().message;
        model[comment.id] = comment;
      }
    } else if (deed < 9) {
      auto status = static_cast<CommentStatus>(below(3));
      decide(at->first, status);
      at->second = find(at->first).value();
      EXPECT_EQ(at->second.moderation.status, status);
    } else if (deed < 11) {
      ASSERT_TRUE(wait(store_->remove(at->first)));
      model.erase(at);
    } else if (below(4) == 0) {
      auto erased = erase(writer);
      auto removed = std::erase_if(
          model, [&](const auto& each) { return each.second.customer == customer(writer); });
      EXPECT_EQ(erased.comments, removed);
    } else {
      reopen();
    }
    std::vector<Comment> wanted;
    bool published = false;
    for (const auto& [id, comment] : model) {
      if (comment.customer != customer(writer)) continue;
      wanted.insert(wanted.begin(), comment);
      published |= comment.published();
    }
    ASSERT_EQ(own(writer, 4), wanted) << i;
    ASSERT_EQ(has_published(writer), published) << i;
  }
}

// Of tables: after an erasure no item has anything of the person.
class ErasedTable : public CustomersContract {
 protected:
  std::string all_items() {
    auto& access = static_cast<dynamodb::TableStore*>(store_)->access();
    std::string all;
    std::optional<dynamodb::Item> start;
    do {
      auto call = dynamodb::scan(access.client.table(), start, 1000);
      auto answer = wait(access.loop.run(access.client.send(std::move(call))));
      auto page = dynamodb::decode_page(answer.body).value();
      for (const auto& item : page.items) all += boost::json::serialize(dynamodb::encode(item));
      start = std::move(page.last);
    } while (start);
    return all;
  }
};

TEST_P(ErasedTable, HasNothingOfThePersonInAnyItem) {
  auto now = system_ms();
  post(by(2, 1)).value();
  Report report{customer(1).person(), 6000, "spam", "He lives in Elm Street 7"};
  wait(store_->moderation()->report(by(2, 1).id, report, 0)).value();
  std::vector<std::string> traces = {customer(1).text(), "Zebulon", "Elm Street 7"};
  for (std::uint64_t i = 0; i < 12; ++i) {
    auto comment = i % 3 ? by(1, 10 + i) : held_by(1, 10 + i, "x");
    comment.author = "Zebulon";
    comment.text = "Delivered to Elm Street 7";
    RequestKey key{{static_cast<std::uint8_t>(i)}, {2}, now};
    auto done = i % 2 ? wait(store_->insert(comment, key, with_ticket(i % 4, i == 1)))
                      : wait(store_->insert(comment, key));
    if (done) traces.push_back(comment.id.text());
  }
  traces.push_back(hex(customer(1).person()));
  auto before = all_items();
  for (const auto& trace : traces) EXPECT_NE(before.find(trace), before.npos) << trace;
  erase(1);
  auto after = all_items();
  for (const auto& trace : traces) EXPECT_EQ(after.find(trace), after.npos) << trace;
  EXPECT_NE(after.find(by(2, 1).id.text()), after.npos);
}

INSTANTIATE_TEST_SUITE_P(Stores, CustomersContract,
                         testing::Values(on_embedded, on_local, on_stream), name_of);
INSTANTIATE_TEST_SUITE_P(Stores, ErasedTable, testing::Values(on_local, on_stream), name_of);

}  // namespace
}  // namespace quire
