#include "cli/exporting/comments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "base/try.h"
#include "cli/terminal/outcome.h"
#include "model/document.h"

namespace quire::cli {
namespace {

constexpr std::size_t rows_a_read = 1000;

class Export {
 public:
  Export(View& view, ExportWish wish, ExportOutput& out)
      : view_(view), wish_(std::move(wish)), out_(out) {}

  Awaitable<Status> published() {
    auto after = first();
    for (bool end = !wish_.takes(CommentStatus::published); !end && out_.whole();) {
      CO_TRY(auto slice, co_await read(after));
      if (!slice.entries.empty()) after = slice.entries.back().id;
      end = slice.end;
      std::vector<Queued> moderated;
      if (auto* moderation = view_.moderation()) {
        CO_TRY(moderated, co_await moderation->moderated(wish_.product, slice.entries));
      }
      give(slice.entries, moderated);
      view_.release();
    }
    co_return Done{};
  }

  Awaitable<Status> held(CommentStatus status) {
    auto* moderation = view_.moderation();
    if (!moderation || !wish_.takes(status)) co_return Done{};
    QueueQuestion question{.kind = status == CommentStatus::pending ? QueueQuestion::Kind::pending
                                                                    : QueueQuestion::Kind::rejected,
                           .product = wish_.product,
                           .limit = rows_a_read};
    do {
      CO_TRY(auto page, co_await moderation->queue(question));
      for (const auto& row : page.rows) {
        if (row.comment.created_ms() < wish_.since_ms) continue;
        out_.comment(row.comment);
        give_reports(row);
      }
      held_ += page.rows.size() + page.damaged;
      question.after = page.next;
    } while (question.after && out_.whole());
    co_return Done{};
  }

  // An import passes these comments over, here and there.
  Awaitable<Status> removed() {
    for (bool more = wish_.is_whole(); more && out_.whole();) {
      CO_TRY(auto ids, co_await view_.removed());
      for (const auto& id : ids) out_.removed(id);
      more = !ids.empty();
    }
    co_return Done{};
  }

  // Says what is missing, by the store's own counts.
  Awaitable<Result<int>> tell() {
    std::uint64_t published = 0, held = 0;
    if (wish_.since_ms == 0 && wish_.takes(CommentStatus::published)) {
      CO_TRY(auto counted, co_await view_.counted(wish_.product));
      published = counted.value_or(0);
    }
    if (wish_.is_whole()) {
      CO_TRY(held, co_await count_held());
    }
    auto missing = [](std::uint64_t counted, std::uint64_t found) {
      return counted > found ? counted - found : 0;
    };
    auto lost = missing(published, published_) + missing(held, held_);
    int status = tell_of_missing(damaged_ + view_.left_out());
    if (lost > 0)
      fmt::print(stderr,
                 "quire: {} of {} comments are missing, because pages of the store are damaged; "
                 "quire verify names the pages\n",
                 lost, published + held);
    co_return lost > 0 ? with_differences : status;
  }

 private:
  // The position before the first comment of the time. Absent: the beginning.
  std::optional<Ulid> first() const {
    bool ordered = wish_.oldest_first || !wish_.product.empty();
    if (wish_.since_ms == 0 || !ordered) return {};
    return Ulid::make(wish_.since_ms, {}).previous();
  }

  Awaitable<Result<Slice>> read(std::optional<Ulid> after) {
    if (wish_.product.empty()) co_return co_await view_.scan(after, rows_a_read);
    co_return co_await view_.comments(wish_.product, Order::oldest_first, after, rows_a_read);
  }

  // `moderated`: those of the comments that moderators have decided on, and the reports.
  void give(const std::vector<Entry>& entries, const std::vector<Queued>& moderated) {
    std::map<Ulid, const Comment*> decided;
    for (const auto& row : moderated) decided.emplace(row.comment.id, &row.comment);
    for (const auto& entry : entries) {
      ++published_;
      if (entry.id.ms() < wish_.since_ms) continue;
      auto known = decided.find(entry.id);
      if (is_damaged(entry.document))
        ++damaged_;
      else if (known != decided.end())
        out_.comment(*known->second);
      else if (!out_.document(entry.document))
        ++damaged_;
    }
    for (const auto& row : moderated)
      if (row.comment.created_ms() >= wish_.since_ms) give_reports(row);
  }

  void give_reports(const Queued& row) {
    for (const auto& report : row.reports) out_.report(row.comment.id, report);
  }

  // How many comments wait or were rejected. 0: it is not known, or may be behind.
  Awaitable<Result<std::uint64_t>> count_held() {
    auto* moderation = view_.moderation();
    if (!moderation) co_return std::uint64_t{0};
    CO_TRY(auto totals, co_await moderation->status_totals());
    if (!totals) co_return std::uint64_t{0};
    const auto& comments = totals->comments;
    co_return comments[static_cast<int>(CommentStatus::pending)] +
        comments[static_cast<int>(CommentStatus::rejected)];
  }

  View& view_;
  const ExportWish wish_;
  ExportOutput& out_;
  std::uint64_t published_ = 0, held_ = 0;  // comments that were read, with the damaged ones
  std::uint64_t damaged_ = 0;
};

}  // namespace

Awaitable<Result<int>> export_comments(Store& store, ExportWish wish, ExportOutput& out) {
  auto view = store.view();
  Export work(*view, std::move(wish), out);
  CO_TRY_DONE(co_await work.published());
  for (auto status : {CommentStatus::pending, CommentStatus::rejected})
    CO_TRY_DONE(co_await work.held(status));
  CO_TRY_DONE(co_await work.removed());
  if (!out.whole() || std::fflush(stdout) != 0) co_return failed;
  co_return co_await work.tell();
}

}  // namespace quire::cli
