#include "http/html/moderation_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "http/access/tokens.h"
#include "http/html/moderation_html.h"
#include "http/query.h"
#include "loop/loop.h"
#include "model/moderation.h"

namespace quire::http {

// What a form decides about one comment.
struct FormDecision {
  Ulid id;
  std::string tag;
  Patch patch;
};

namespace {

constexpr std::size_t max_chosen = 100;

// Parameters that are wrong are left out: a link to the page always leads to a queue.
QueueQuestion question_of(const Request& request) {
  QueueQuestion question;
  using Kind = QueueQuestion::Kind;
  for (const auto& [name, value] : request.parameters) {
    if (name == "status" && value == "rejected") question.kind = Kind::rejected;
    if (name == "status" && value == "reported") question.kind = Kind::reported;
    if (name == "product") question.product = value;
    if (name == "after") question.after = Ulid::parse(value);
    if (name == "before" && !question.after) question.before = Ulid::parse(value);
  }
  return question;
}

// What became of the decisions before: "done=3&refused=1".
std::string told(const Request& request) {
  auto count = [&](std::string_view name) {
    auto text = parameter(request, name);
    auto found = text ? number(name, *text, 0, max_chosen) : Result<std::size_t>(0u);
    return found ? *found : 0;
  };
  auto done = count("done"), refused = count("refused");
  std::string out;
  if (done > 0) out = counted(done, "review") + " decided.";
  if (refused > 0)
    out += fmt::format("{}{} not decided: changed or removed meanwhile, or no reason was chosen.",
                       out.empty() ? "" : " ", counted(refused, "review"));
  return out;
}

// `chosen`: an id and a tag.
std::optional<FormDecision> decision_of(std::string_view chosen, CommentStatus status,
                                        std::string_view reason, std::string_view note) {
  auto space = chosen.find(' ');
  auto id = Ulid::parse(chosen.substr(0, space));
  if (!id || space == chosen.npos) return {};
  FormDecision decision{*id, fmt::format("\"{}\"", chosen.substr(space + 1)), {.status = status}};
  // The fields of both are one; who cancels a rejection and publishes leaves what was typed there.
  if (status != CommentStatus::rejected) return decision;
  decision.patch.reason = reason;
  if (!note.empty()) decision.patch.note = note;
  return decision;
}

std::vector<std::optional<FormDecision>> decisions_of(const Parameters& form) {
  std::vector<std::optional<FormDecision>> out;
  auto one = [&](std::string_view chosen, CommentStatus status) {
    auto id = std::string(chosen.substr(0, chosen.find(' ')));
    out.push_back(
        decision_of(chosen, status, text_of(form, "reason-" + id), text_of(form, "note-" + id)));
  };
  if (auto chosen = text_of(form, "publish"); !chosen.empty())
    one(chosen, CommentStatus::published);
  if (auto chosen = text_of(form, "reject"); !chosen.empty()) one(chosen, CommentStatus::rejected);
  auto bulk = parse_status(text_of(form, "bulk"));
  for (const auto& [name, value] : form) {
    if (bulk && name == "chosen" && out.size() < max_chosen)
      out.push_back(decision_of(value, *bulk, text_of(form, "reason"), text_of(form, "note")));
  }
  return out;
}

}  // namespace

std::optional<Request> ModerationPages::signed_in(const Request& request) const {
  auto tokens = permission_.tokens();
  auto cookie = Sessions::cookie_in(request.header(Field::cookie));
  const Token* token = tokens ? sessions_.find(cookie, *tokens, system_ms()) : nullptr;
  if (!token) return {};
  Request out = request;
  out.token = {tokens, token};
  out.token_label = token->label();
  return out;
}

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
  auto cookie = Sessions::cookie_in(request.header(Field::cookie));
  return same_bytes(text_of(form_of(request.body), "form"), sessions_.form_value(cookie));
}

Awaitable<Result<std::vector<std::string>>> ModerationPages::product_names(
    const QueuePage& page) const {
  std::vector<std::string> names;
  for (const auto& row : page.rows) names.push_back(row.comment.product);
  auto facts = co_await comments_.facts(names);
  if (!facts) co_return facts.error();
  for (std::size_t i = 0; i < names.size(); ++i)
    if ((*facts)[i]) names[i] = (*facts)[i]->name;
  co_return names;
}

Awaitable<Response> ModerationPages::queue(const Request& sent) {
  auto request = signed_in(sent);
  if (!request) co_return sign_in_page({});
  auto question = question_of(*request);
  question.product_prefix = request->token->product;
  auto page = co_await comments_.queue(question);
  if (!page) co_return sign_in_page(page.error().message, 503);
  auto products = co_await product_names(*page);
  if (!products) co_return sign_in_page(products.error().message, 503);
  auto form_value = sessions_.form_value(Sessions::cookie_in(sent.header(Field::cookie)));
  auto told_text = told(*request);
  auto shop = html_.face()->shop();
  TemplateValues values;
  fill_queue(values,
             {question, *page, *products, request->token->label(), form_value,
              *texts::Languages::built_in().find(texts::first_language), told_text, shop.get()});
  co_return html_.moderation(values, 200);
}

Awaitable<Response> ModerationPages::sign_in(const Request& request) {
  auto tokens = permission_.tokens();
  auto form = form_of(request.body);
  const Token* token = tokens ? tokens->find(text_of(form, "token")) : nullptr;
  auto now = system_ms();
  if (!token || token->ended(now) || !token->may(Scope::moderate)) {
    if (permission_.limits().refusal(request.client, now))
      co_return sign_in_page("Too many tries come from this address. Try again in a minute.", 429);
    co_return sign_in_page(tokens ? "This token is unknown here, has ended, or may not moderate."
                                  : "This server was started without --tokens.",
                           403);
  }
  auto response = redirect(303, std::string(request.path) + "/moderation");
  response.add("Set-Cookie", cookie_line(sessions_.begin(*token, now), session_ms / 1000));
  co_return response;
}

Awaitable<Response> ModerationPages::sign_out(const Request& request) {
  auto response = redirect(303, std::string(request.path) + "/moderation");
  if (is_own(request)) response.add("Set-Cookie", cookie_line("", 0));
  co_return response;
}

Awaitable<Result<Edited>> ModerationPages::make(const Request& request,
                                                const FormDecision& decision) {
  Condition condition{{decision.tag}, request.token->product};
  auto edited = co_await comments_.patch(decision.id, decision.patch, std::move(condition));
  if (edited) record(audit_, metrics_, request, decision.id, decision.patch, *edited);
  co_return edited;
}

Awaitable<Response> ModerationPages::decide(const Request& sent) {
  auto request = signed_in(sent);
  if (!request) co_return sign_in_page("Sign in again: the session has ended.", 403);
  if (!is_own(sent))
    co_return sign_in_page("This form is not of this session. Sign in again.", 403);
  if (auto ready = ready_to_record(audit_); !ready)
    co_return sign_in_page(ready.error().message, 503);
  auto form = form_of(request->body);
  auto decisions = decisions_of(form);
  std::vector<Awaitable<Result<Edited>>> works;
  for (const auto& decision : decisions)
    if (decision) works.push_back(make(*request, *decision));
  auto made = co_await all(std::move(works));
  auto done = std::count_if(made.begin(), made.end(), [](const auto& each) { return each.ok(); });
  auto refused = static_cast<std::ptrdiff_t>(decisions.size()) - done;
  co_return redirect(303, fmt::format("{}/moderation?{}&done={}&refused={}", sent.path,
                                      text_of(form, "back"), done, refused));
}

}  // namespace quire::http
