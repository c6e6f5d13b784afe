#include "http/html/moderation_pages.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/hash.h"
#include "base/try.h"
#include "http/parameters.h"
#include "model/moderation.h"

namespace quire::http {
namespace {

// Back to the queue that the form was of; to the comment `at`, where it is still in the queue.
Response told_on_the_queue(const Request& request, const Parameters& form, const Outcome& outcome,
                           const std::optional<Chosen>& at = {}) {
  return redirect(303, fmt::format("{}/moderation?{}{}{}", request.path, text_of(form, "back"),
                                   outcome_query(outcome), at ? "#r-" + at->id.text() : ""));
}

QueueQuestion without_filter(const QueueQuestion& question) {
  return {.kind = question.kind,
          .product_prefix = question.product_prefix,
          .order = question.order,
          .limit = question.limit};
}

}  // namespace

Response ModerationPages::sign_in_page(std::string_view fault, unsigned status) const {
  TemplateValues values;
  fill_sign_in(values, fault);
  return html_.moderation(values, status);
}

std::string ModerationPages::cookie_line(std::string_view value, std::uint64_t seconds) const {
  return fmt::format("{}={}; Path={}/moderation; Max-Age={}; HttpOnly; SameSite=Strict{}",
                     Sessions::cookie_name, value, site_.path(), seconds,
                     site_.public_url.starts_with("https:") ? "; Secure" : "");
}

bool ModerationPages::is_own(const Request& request) const {
  if (site_.is_foreign(request)) return false;
  auto cookie = Sessions::cookie_in(request.header(Field::cookie));
  return same_bytes(text_of(form_of(request.body), "form"), door_.sessions().form_value(cookie));
}

Awaitable<Result<std::vector<std::string>>> ModerationPages::product_names(
    const QueuePage& page) const {
  std::vector<std::string> names;
  for (const auto& row : page.rows) names.push_back(row.comment.product);
  CO_TRY(auto facts, co_await comments_.facts(names));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (facts[i]) names[i] = facts[i]->name;
  co_return names;
}

// Each is counted as a question of its own, of one row: so it costs what it costs to count.
Awaitable<QueueCounts> ModerationPages::counts_of(const desk::Permit& permit,
                                                  QueueQuestion question,
                                                  std::optional<std::uint64_t> known) const {
  QueueCounts counts;
  const auto present = question.kind;
  question = from_start(std::move(question));
  question.limit = 1;
  question.product_prefix = permit.writer().products();
  const auto rule = question.rule;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    question.kind = shown_queues[i];
    if (question.kind == present && known) counts[i].comments = known;
    if (counts[i].comments) continue;
    question.order = usual_order(question.kind);
    question.rule = has_rules(question.kind) ? rule : std::string();
    auto asked = question;
    auto page = co_await door_.desk().queue(permit, asked);
    bool whole = page && !page->next && !page->ended_early;  // from the start
    if (whole && !page->total) page->total = page->rows.size();
    counts[i].in_all = page && !page->total && asked.filtered();
    if (counts[i].in_all) {
      asked = without_filter(asked);
      page = co_await door_.desk().queue(permit, asked);
    }
    if (!page) continue;
    counts[i].comments = page->total;
    bool is_long = !page->total && !asked.filtered() && page->next;
    if (is_long) counts[i].comments = more_than_counted;
  }
  co_return counts;
}

Awaitable<Response> ModerationPages::queue(const Request& request) {
  if (!request.permit) {
    TemplateValues values;
    fill_sign_in(values, {}, parameter(request, "secret").value_or(""));
    co_return html_.moderation(values, 200);
  }
  const auto& permit = *request.permit;
  auto question = question_of(request);
  auto page = co_await door_.desk().queue(permit, question);
  auto outcome = outcome_of(request);
  auto told_text = outcome_text(outcome);
  // A table has no list of all that is published, and says so.
  if (!page && page.error().code == ErrorCode::invalid_parameter) {
    told_text = page.error().message;
    page = QueuePage{};
  }
  if (!page) co_return sign_in_page(page.error().message, 503);
  auto products = co_await product_names(*page);
  if (!products) co_return sign_in_page(products.error().message, 503);
  auto counts = co_await counts_of(permit, question, page->total);
  auto form_value = door_.sessions().form_value(Sessions::cookie_in(request.header(Field::cookie)));
  auto look = html_.english();
  bool replies = door_.desk().would_admit(permit.writer(), desk::Deed::reply);
  TemplateValues values;
  fill_queue(values,
             {question, *page, *products, counts, permit.writer().label, replies, form_value,
              look.texts(), look.zone(), outcome, told_text, look.face->shop().get()});
  co_return html_.moderation(values, 200);
}

Awaitable<Response> ModerationPages::sign_in(const Request& request) {
  if (site_.is_foreign(request))
    co_return sign_in_page("This form was sent from another site. Sign in here.", 403);
  auto& desk = door_.desk();
  auto form = form_of(request.body);
  auto secret = text_of(form, "secret");
  auto demo = secret.empty() ? std::nullopt : door_.moderator_by(request, secret);
  auto writer = demo ? std::move(*demo)
                     : desk.writer_of({.authorized = true, .bearer = text_of(form, "token")});
  if (!desk.would_admit(writer, desk::Deed::decide)) {
    auto refused = desk.refuse(request.client, {desk::Refusal::Kind::unknown, {}});
    if (refused.kind == desk::Refusal::Kind::too_often)
      co_return sign_in_page("Too many tries come from this address. Try again in a minute.", 429);
    if (!secret.empty())
      co_return sign_in_page(
          "This link was used already, is not of this demo, or was opened from elsewhere. It works "
          "once, on this machine: start the demo again for another one.",
          403);
    co_return sign_in_page(desk.tokens()
                               ? "This token is unknown here, has ended, or may not moderate."
                               : "This server was started without --tokens.",
                           403);
  }
  auto response = redirect(303, std::string(request.path) + "/moderation");
  response.add("Set-Cookie",
               cookie_line(door_.sessions().begin(*writer.token, system_ms()), session_ms / 1000));
  co_return response;
}

Awaitable<Response> ModerationPages::sign_out(const Request& request) {
  auto response = redirect(303, std::string(request.path) + "/moderation");
  if (!is_own(request)) co_return response;
  door_.sessions().end(Sessions::cookie_in(request.header(Field::cookie)), system_ms());
  response.add("Set-Cookie", cookie_line("", 0));
  co_return response;
}

std::optional<Response> ModerationPages::refuses(const Request& request) const {
  if (!request.permit) return sign_in_page("Sign in again: the session has ended.", 403);
  if (!is_own(request))
    return sign_in_page("This form is not of this session. Sign in again.", 403);
  return {};
}

Awaitable<Response> ModerationPages::decide(const Request& request) {
  if (auto refused = refuses(request)) co_return std::move(*refused);
  auto form = form_of(request.body);
  auto decisions = decisions_of(form);
  std::vector<std::optional<CommentStatus>> statuses;
  for (const auto& each : decisions)
    statuses.push_back(each ? each->patch.status : std::optional<CommentStatus>());
  auto decided = co_await door_.desk().decide(*request.permit, std::move(decisions));
  if (!decided) co_return sign_in_page(decided.error().message, 503);
  Outcome outcome{.round = round_of(form)};
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    bool made = decided->made[i].ok();
    outcome.refused += !made;
    outcome.noted += made && !statuses[i];
    outcome.last.published += made && statuses[i] == CommentStatus::published;
    outcome.last.rejected += made && statuses[i] == CommentStatus::rejected;
  }
  outcome.round.published += outcome.last.published;
  outcome.round.rejected += outcome.last.rejected;
  outcome.undo = decided->undo;
  co_return told_on_the_queue(request, form, outcome, chosen_in(text_of(form, "keep-note")));
}

Awaitable<Response> ModerationPages::undo(const Request& request) {
  if (auto refused = refuses(request)) co_return std::move(*refused);
  auto form = form_of(request.body);
  auto undone = co_await door_.desk().undo(*request.permit, std::string(text_of(form, "undo")));
  Outcome outcome{.round = round_of(form)};
  outcome.late = !undone && undone.error().code == ErrorCode::not_found;
  if (!undone && !outcome.late) co_return sign_in_page(undone.error().message, 503);
  if (undone)
    for (const auto& each : undone->made) ++(each ? outcome.undone : outcome.changed);
  co_return told_on_the_queue(request, form, outcome);
}

Awaitable<Response> ModerationPages::reply(const Request& request) {
  if (auto refused = refuses(request)) co_return std::move(*refused);
  auto form = form_of(request.body);
  auto chosen = chosen_in(text_of(form, "reply"));
  Outcome outcome{.round = round_of(form), .reply = false};
  if (!chosen) co_return told_on_the_queue(request, form, outcome);
  std::optional<Reply> kept;
  if (text_of(form, "remove").empty()) {
    kept.emplace(
        Reply{with_lines(text_of(form, "author"), " "), with_lines(text_of(form, "text"), "\n")});
    std::erase(kept->text, '\r');  // a form ends lines with both
  }
  std::vector<std::string> tags{chosen->tag};
  auto edited =
      co_await door_.desk().reply(*request.permit, chosen->id, std::move(kept), std::move(tags));
  if (!edited && edited.error().code == ErrorCode::unavailable)
    co_return sign_in_page(edited.error().message, 503);
  outcome.reply = edited.ok();
  co_return told_on_the_queue(request, form, outcome, chosen);
}

}  // namespace quire::http
