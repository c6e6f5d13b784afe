#include "http/html/moderation_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "http/html/moderation_html.h"
#include "model/facets.h"
#include "model/moderation.h"

namespace quire::http {
namespace {

constexpr std::size_t max_chosen = desk::Desk::max_decisions;
constexpr std::size_t max_round = 1'000'000;  // an address may say anything

constexpr std::size_t max_filter_values = 16;  // as many as a form has

template <class T>
void add_once(std::vector<T>& values, const T& value) {
  bool there = std::find(values.begin(), values.end(), value) != values.end();
  if (!there && values.size() < max_filter_values) values.push_back(value);
}

std::size_t count_in(std::string_view text, std::size_t most) {
  return std::min(parse_integer<std::size_t>(text).value_or(0), most);
}

// Without a status the note alone is set.
Result<desk::Decision> decision_of(std::string_view text, std::optional<CommentStatus> status,
                                   std::string_view reason, std::optional<std::string> note) {
  auto chosen = chosen_in(text);
  if (!chosen) return invalid("chosen", "chosen has the id of a comment and its tag.");
  desk::Decision decision{chosen->id, {.status = status}, {std::move(chosen->tag)}};
  // The fields are those of a rejection; who cancels it and publishes leaves what was typed there.
  if (status == CommentStatus::rejected) decision.patch.reason = reason;
  if (status != CommentStatus::published) decision.patch.note = std::move(note);
  return decision;
}

}  // namespace

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
    if (name == "rule" && is_rule(value)) question.rule = value;
    if (name == "sort" && value == "created_at") order = Order::oldest_first;
    if (name == "sort" && value == "-created_at") order = Order::newest_first;
    if (name == "after") question.after = Ulid::parse(value);
    if (name == "before" && !question.after) question.before = Ulid::parse(value);
  }
  if (!has_rules(question.kind)) question.rule.clear();
  question.order = order.value_or(usual_order(question.kind));
  return question;
}

std::optional<Chosen> chosen_in(std::string_view text) {
  auto space = text.find(' ');
  auto id = Ulid::parse(text.substr(0, space));
  if (!id || space == text.npos) return {};
  return Chosen{*id, fmt::format("\"{}\"", text.substr(space + 1))};
}

Outcome outcome_of(const Request& request) {
  auto text = [&](std::string_view name) { return parameter(request, name).value_or(""); };
  auto count = [&](std::string_view name) { return count_in(text(name), max_chosen); };
  Outcome outcome{.last = {count("published"), count("rejected")},
                  .round = {count_in(text("round_published"), max_round),
                            count_in(text("round_rejected"), max_round)},
                  .noted = count("noted"),
                  .refused = count("refused"),
                  .undone = count("undone"),
                  .changed = count("changed"),
                  .late = text("late") == "1"};
  auto reply = text("reply");
  if (reply == "kept" || reply == "refused") outcome.reply = reply == "kept";
  if (Ulid::parse(text("undo"))) outcome.undo = text("undo");
  return outcome;
}

std::string round_query(const Verdicts& round) {
  std::string out;
  if (round.published > 0) out += fmt::format("&round_published={}", round.published);
  if (round.rejected > 0) out += fmt::format("&round_rejected={}", round.rejected);
  return out;
}

std::string outcome_query(const Outcome& outcome) {
  std::string out;
  auto add = [&](std::string_view name, std::size_t count) {
    if (count > 0) out += fmt::format("&{}={}", name, count);
  };
  add("published", outcome.last.published);
  add("rejected", outcome.last.rejected);
  add("noted", outcome.noted);
  add("refused", outcome.refused);
  add("undone", outcome.undone);
  add("changed", outcome.changed);
  add("late", outcome.late);
  if (outcome.reply) out += *outcome.reply ? "&reply=kept" : "&reply=refused";
  if (!outcome.undo.empty()) out += "&undo=" + outcome.undo;
  return out + round_query(outcome.round);
}

std::string verdicts_text(const Verdicts& verdicts) {
  const auto& [published, rejected] = verdicts;
  if (rejected == 0) return fmt::format("{} published", published);
  if (published == 0) return fmt::format("{} rejected", rejected);
  return fmt::format("{} published, {} rejected", published, rejected);
}

std::string outcome_text(const Outcome& outcome) {
  std::vector<std::string> sentences;
  if (!outcome.last.none()) sentences.push_back(verdicts_text(outcome.last) + ".");
  if (outcome.noted > 0) sentences.push_back(counted(outcome.noted, "note") + " kept.");
  if (outcome.undone > 0) sentences.push_back(counted(outcome.undone, "decision") + " taken back.");
  if (outcome.changed > 0)
    sentences.push_back(counted(outcome.changed, "decision") +
                        " not taken back: the review was changed or decided on meanwhile.");
  if (outcome.late)
    sentences.emplace_back("Nothing was taken back: that goes for half a minute, once.");
  if (outcome.reply == true) sentences.emplace_back("The reply is kept.");
  if (outcome.reply == false)
    sentences.emplace_back(
        "The reply was not kept: it has no text or too much, or the review was changed or removed "
        "meanwhile.");
  if (outcome.refused > 0)
    sentences.push_back(counted(outcome.refused, "review") +
                        " not decided: changed or removed meanwhile, or no reason was chosen.");
  std::string out;
  for (const auto& each : sentences) out.append(out.empty() ? "" : " ").append(each);
  return out;
}

Verdicts round_of(const Parameters& form) {
  return {count_in(text_of(form, "round_published"), max_round),
          count_in(text_of(form, "round_rejected"), max_round)};
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
  auto bulk = parse_status(text_of(form, "bulk"));
  // A note on all takes the place of theirs; without it they stay.
  auto note_of_all = field("note");
  if (note_of_all && note_of_all->empty()) note_of_all.reset();
  for (const auto& [name, value] : form) {
    if (out.size() == max_chosen) break;
    if (name == "publish") one(value, CommentStatus::published);
    if (name == "reject") one(value, CommentStatus::rejected);
    if (name == "keep-note") one(value, {});
    if (bulk && name == "chosen")
      out.push_back(decision_of(value, *bulk, text_of(form, "reason"), note_of_all));
  }
  return out;
}

}  // namespace quire::http
