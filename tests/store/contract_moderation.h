// The contract of stores that keep comments which are not published.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "contract.h"

namespace quire {

class ModerationContract : public WritingContract {
 protected:
  using Kind = QueueQuestion::Kind;

  static Moderate set(CommentStatus status, std::string reason = {}) {
    return [=](const Comment&, Comment& after) -> Status {
      Patch patch{.status = status};
      if (!reason.empty()) patch.reason = reason;
      auto moderation = decided(after.moderation, patch, 5000);
      if (!moderation) return moderation.error();
      after.moderation = *moderation;
      return Done{};
    };
  }
  // What the service gives a store beside the patch of a decision.
  static Moderate decide_by(Patch patch) {
    return [patch = std::move(patch)](const Comment&, Comment& after) -> Status {
      auto moderation = decided(after.moderation, patch, 5000);
      if (!moderation) return moderation.error();
      after.moderation = *moderation;
      return Done{};
    };
  }
  Result<Edited> decide(const Ulid& id, CommentStatus status) {
    return wait(
        store_->update(id, {}, {}, set(status, status == CommentStatus::rejected ? "spam" : "")));
  }
  Comment held(std::uint64_t ms, std::uint64_t number, std::string language = "en", int rating = 5,
               std::string product = "42") {
    auto comment = comment_at(ms, number, std::move(language), rating, std::move(product));
    comment.moderation = quire::held({}, "links", 4000);
    return comment;
  }
  QueuePage queue(QueueQuestion question) {
    auto view = store_->view();
    return wait(view->moderation()->queue(std::move(question))).value();
  }
  std::vector<Ulid> queued(Kind kind) {
    std::vector<Ulid> out;
    for (const auto& row : queue({.kind = kind, .limit = 1000}).rows) out.push_back(row.comment.id);
    return out;
  }
  std::vector<Ulid> all() { return ids(Order::oldest_first, {Cell{}, {}, 1000}); }
  // Where the store counts by itself.
  void expect_total(std::uint64_t total) {
    EXPECT_EQ(GetParam().counts ? counts().total() : total, total);
  }
  bool is_public(const Ulid& id) {
    auto view = store_->view();
    auto found = wait(view->get(id));
    EXPECT_TRUE(found || found.error().code == ErrorCode::not_found);
    return found.ok();
  }
  Result<Comment> find(const Ulid& id) {
    auto view = store_->view();
    return wait(view->find(id));
  }
  // Of the published comments of a product, or of all: the note, "!" if a moderator decided, and
  // the persons that reported it, with "+" where a moderator has answered.
  std::map<Ulid, std::string> moderated(const std::string& product = {}) {
    auto view = store_->view();
    auto read = [&](std::optional<Ulid> after) {
      return product.empty() ? view->scan(after, 2)
                             : view->comments(product, Order::oldest_first, after, 2);
    };
    std::map<Ulid, std::string> out;
    std::optional<Ulid> after;
    for (bool end = false; !end;) {
      auto slice = wait(read(after)).value();
      auto found = wait(view->moderation()->moderated(product, slice.entries)).value();
      for (const auto& [comment, reports] : found) {
        auto& text = out[comment.id];
        auto known = comment.moderation.note + (comment.moderation.decided ? "!" : "");
        if (!known.empty() && text.empty()) text = known + " ";
        for (const auto& report : reports)
          text += (report.answered ? "+" : "") + std::to_string(report.person[0]) + " ";
      }
      if (!slice.entries.empty()) after = slice.entries.back().id;
      end = slice.end;
    }
    return out;
  }
  // By the persons 0 to 99, as many as are kept.
  void report_by_a_hundred(const Ulid& id) {
    for (int person = 0; person < 100; ++person)
      wait(store_->moderation()->report(id, report_of(static_cast<std::uint8_t>(person)), 0))
          .value();
  }
  // Of an edit by the comment's writer.
  static Status undecided(const Comment&, Comment& after) {
    after.moderation.decided = false;
    return Done{};
  }
  static Report report_of(std::uint8_t person) {
    return {{person}, 6000u + person, "spam", "Look"};
  }
};

}  // namespace quire
