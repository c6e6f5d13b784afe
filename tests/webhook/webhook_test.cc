#include "webhook/webhook.h"

#include <gtest/gtest.h>

namespace quire::webhook {
namespace {

Event happened(std::string type, bool is_new = false) {
  return {
      .mark = 1, .time_ms = 1, .type = std::move(type), .product = "shoes-42", .is_new = is_new};
}

Comment rated(int rating, std::string language = "en") {
  return {.id = {},
          .product = "shoes-42",
          .language = std::move(language),
          .rating = rating,
          .author = "Ann",
          .title = {},
          .text = {}};
}

TEST(Wants, AllButVotesAndImportsUnlessToldOtherwise) {
  Webhook webhook;
  EXPECT_TRUE(webhook.wants(happened("comment.changed")));
  EXPECT_TRUE(webhook.wants(happened("customer.erased")));
  EXPECT_FALSE(webhook.wants(happened("comment.voted")));
  auto imported = happened("comment.published", true);
  imported.imported = true;
  EXPECT_FALSE(webhook.wants(imported));
  webhook.imported = true;
  EXPECT_TRUE(webhook.wants(imported));
  webhook.events = {"comment.voted"};
  EXPECT_TRUE(webhook.wants(happened("comment.voted")));
}

TEST(Wants, NewCommentsForSlack) {
  Webhook webhook{.format = Format::slack};
  EXPECT_TRUE(webhook.wants(happened("comment.published", true)));
  EXPECT_TRUE(webhook.wants(happened("comment.held", true)));
  EXPECT_FALSE(webhook.wants(happened("comment.published")));
  webhook.events = {"comment.reported"};
  EXPECT_TRUE(webhook.wants(happened("comment.reported")));
  EXPECT_FALSE(webhook.wants(happened("comment.published", true)));
}

TEST(Wants, EventsByName) {
  Webhook webhook{.events = {"comment.posted", "comment.removed"}};
  EXPECT_TRUE(webhook.wants(happened("comment.published", true)));
  EXPECT_TRUE(webhook.wants(happened("comment.held", true)));
  EXPECT_TRUE(webhook.wants(happened("comment.removed")));
  EXPECT_FALSE(webhook.wants(happened("comment.published")));
  EXPECT_TRUE(is_event_name("comment.posted"));
  EXPECT_TRUE(is_event_name("comment.voted"));
  EXPECT_FALSE(is_event_name("comment"));
  EXPECT_FALSE(is_event_name("webhook.test"));
}

TEST(Wants, WhatLeavesThePagesWhateverTheFilter) {
  for (const char* type : {"comment.removed", "comment.rejected", "customer.erased"}) {
    EXPECT_TRUE((Webhook{.max_rating = 2, .languages = {"de"}}).wants(happened(type), nullptr));
    Webhook chat{.format = Format::slack, .events = {type}};
    EXPECT_TRUE(chat.wants(happened(type), nullptr)) << type;
  }
  EXPECT_FALSE((Webhook{.max_rating = 2}).wants(happened("comment.changed"), nullptr));
}

TEST(Wants, BeginningsOfProducts) {
  Webhook webhook{.products = {"hats-", "shoes-"}};
  EXPECT_TRUE(webhook.wants(happened("comment.changed")));
  webhook.products = {"hats-", "hoes-42"};
  EXPECT_FALSE(webhook.wants(happened("comment.changed")));
}

TEST(Wants, RatingsAndLanguagesOfTheComment) {
  Webhook webhook{.max_rating = 2, .languages = {"de", "en"}};
  auto changed = happened("comment.changed");
  auto told = [&](const Comment& comment) { return webhook.wants(changed, &comment); };
  EXPECT_TRUE(told(rated(1)));
  EXPECT_TRUE(told(rated(2)));
  EXPECT_FALSE(told(rated(3)));
  EXPECT_FALSE(told(rated(1, "fr")));
  EXPECT_FALSE(webhook.wants(happened("comment.voted"), nullptr));
}

TEST(Wants, OfACommentOfWhichNothingIsToldItsRemoval) {
  Webhook any, bad{.max_rating = 2}, german{.languages = {"de"}};
  Webhook slack{.format = Format::slack,
                .events = {"comment.published", "comment.removed", "customer.erased"}};
  EXPECT_TRUE(any.wants(happened("comment.published", true), nullptr));
  for (const auto* webhook : {&bad, &german, &slack}) {
    EXPECT_FALSE(webhook->wants(happened("comment.published", true), nullptr));
    EXPECT_TRUE(webhook->wants(happened("comment.removed"), nullptr));
    EXPECT_TRUE(webhook->wants(happened("customer.erased"), nullptr));
  }
}

}  // namespace
}  // namespace quire::webhook
