#include "http/html/moderation_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/try.h"
#include "http/html/moderation_html.h"
#include "http/query.h"
#include "model/facets.h"
#include "model/moderation.h"

namespace quire::http {

namespace {

constexpr std::size_t max_chosen = desk::Desk::max_decisions;

constexpr std::size_t max_filter_values = 16;  // as many as a form has

template <class T>
void add_once(std::vector<T>& values, const T& value) {
  bool there = std::find(values.begin(), values.end(), value) != values.end();
  if (!there && values.size() < max_filter_values) values.push_back(value);
}

// Parameters that are wrong are left out: a link to the page always leads to a queue.
QueueQuestion question_of(const Request& request) {
  QueueQuestion question;
  std::optional<Order> order;
  for (const auto& [name, value] : request.parameters) {
    auto kind = name == "status" ? parse_queue(value) : std::nullopt;
    if (kind && *kind != QueueQuestion::Kind::any) question.kind = *kind;
    if (name == "product") question.product = value;
    if (name == "q") static_cast<void>(question.look_for(value));
    auto rating = name == "rating" ? parse_integer<int>(value) : std::nullopt;
    if (rating && *rating >= 1 && *rating <= 5) add_once(question.ratings, *rating);
    auto language = name == "language" ? canonical_language(value) : std::nullopt;
    if (language) add_once(question.languages, *language);
    if (name == "replied" && (value == "true" || value == "false"))
      question.replied = value == "true";
    if (name == "sort" && value == "created_at") order = Order::oldest_first;
    if (name == "sort" && value == "-created_at") order = Order::newest_first;
    if (name == "after") question.after = Ulid::parse(value);
    if (name == "before" && !question.after) question.before = Ulid::parse(value);
  }
  question.order = order.value_or(usual_order(question.kind));
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

// `chosen`: an id and a tag. Without a status the note alone is set.
Result<desk::Decision> decision_of(std::string_view chosen, std::optional<CommentStatus> status,
                                   std::string_view reason, std::optional<std::string> note) {
  auto space = chosen.find(' ');
  auto id = Ulid::parse(chosen.substr(0, space));
  if (!id || space == chosen.npos)
    return invalid("chosen", "chosen has the id of a comment and its tag.");
  desk::Decision decision{
      *id, {.status = status}, {fmt::format("\"{}\"", chosen.substr(space + 1))}};
  // The fields are those of a rejection; who cancels it and publishes leaves what was typed there.
  if (status == CommentStatus::rejected) decision.patch.reason = reason;
  if (status != CommentStatus::published) decision.patch.note = std::move(note);
  return decision;
}

std::vector<Result<desk::Decision>> decisions_of(const Parameters& form) {
  std::vector<Result<desk::Decision>> out;
  // Absent: the form has no such field.
  auto field = [&](const std::string& wanted) -> std::optional<std::string> {
    for (const auto& [name, value] : form)
      if (name == wanted) return value;
    return {};
  };
  auto one = [&](std::string_view chosen, std::optional<CommentStatus> status) {
    auto id = std::string(chosen.substr(0, chosen.find(' ')));
    out.push_back(decision_of(chosen, status, text_of(form, "reason-" + id), field("note-" + id)));
  };
  if (auto chosen = text_of(form, "publish"); !chosen.empty())
    one(chosen, CommentStatus::published);
  if (auto chosen = text_of(form, "reject"); !chosen.empty()) one(chosen, CommentStatus::rejected);
  if (auto chosen = text_of(form, "keep-note"); !chosen.empty()) one(chosen, {});
  auto bulk = parse_status(text_of(form, "bulk"));
  // A note on all takes the place of theirs; without it they stay.
  auto note_of_all = field("note");
  if (note_of_all && note_of_all->empty()) note_of_all.reset();
  for (const auto& [name, value] : form) {
    if (bulk && name == "chosen" && out.size() < max_chosen)
      out.push_back(decision_of(value, *bulk, text_of(form, "reason"), note_of_all));
  }
  return out;
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

Awaitable<Response> ModerationPages::queue(const Request& request) {
  if (!request.permit) {
    TemplateValues values;
    fill_sign_in(values, {}, parameter(request, "secret").value_or(""));
    co_return html_.moderation(values, 200);
  }
  auto question = question_of(request);
  auto page = co_await door_.desk().queue(*request.permit, question);
  auto told_text = told(request);
  // A table has no list of all that is published, and says so.
  if (!page && page.error().code == ErrorCode::invalid_parameter) {
    told_text = page.error().message;
    page = QueuePage{};
  }
  if (!page) co_return sign_in_page(page.error().message, 503);
  auto products = co_await product_names(*page);
  if (!products) co_return sign_in_page(products.error().message, 503);
  auto form_value = door_.sessions().form_value(Sessions::cookie_in(request.header(Field::cookie)));
  auto look = html_.english();
  TemplateValues values;
  fill_queue(values, {question, *page, *products, request.permit->writer().label, form_value,
                      look.texts(), look.zone(), told_text, look.face->shop().get()});
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

Awaitable<Response> ModerationPages::decide(const Request& request) {
  if (!request.permit) co_return sign_in_page("Sign in again: the session has ended.", 403);
  if (!is_own(request))
    co_return sign_in_page("This form is not of this session. Sign in again.", 403);
  auto form = form_of(request.body);
  auto decided = co_await door_.desk().decide(*request.permit, decisions_of(form));
  if (!decided) co_return sign_in_page(decided.error().message, 503);
  const auto& made = *decided;
  auto done = std::count_if(made.begin(), made.end(), [](const auto& each) { return each.ok(); });
  auto refused = static_cast<std::ptrdiff_t>(made.size()) - done;
  co_return redirect(303, fmt::format("{}/moderation?{}&done={}&refused={}", request.path,
                                      text_of(form, "back"), done, refused));
}

}  // namespace quire::http
