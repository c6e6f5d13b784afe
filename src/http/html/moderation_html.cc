#include "http/html/moderation_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"
#include "http/html/labels.h"
#include "http/html/parts.h"
#include "model/attributes.h"
#include "model/document.h"

namespace quire::http {
namespace {

using Kind = QueueQuestion::Kind;

struct Label {
  std::string_view value, label;
};
constexpr Label reasons[] = {
    {"spam", "Spam"},           {"offensive", "Offensive"}, {"personal", "Personal data"},
    {"off_topic", "Off topic"}, {"fake", "Fake"},           {"unlawful", "Unlawful"},
    {"other", "Another reason"}};
constexpr Label rules[] = {{"all", ""},  // there is no reason but that each comment waits
                           {"first", "Held: the customer's first review"},
                           {"links", "Held: contains a link"},
                           {"words", "Held: contains a listed word"},
                           {"reports", "Held: people reported it"}};

constexpr Label rule_names[] = {{"all", "Every review waits"},
                                {"first", "First review"},
                                {"links", "Link"},
                                {"words", "Listed word"},
                                {"reports", "Reports"}};

template <std::size_t size>
std::string_view label_of(const Label (&labels)[size], std::string_view value) {
  for (const auto& each : labels)
    if (each.value == value) return each.label;
  return value;
}

std::string report_text(const Report& report, const ShownQueue& shown) {
  auto day = shown.texts.day(shown.zone.local_ms(report.at_ms));
  auto text = fmt::format("Reported on {}: {}", day, label_of(reasons, report.reason));
  if (!report.note.empty()) text += ". " + report.note;
  const auto& [name, mail, decided_ms] = report.contact;
  if (report.contact.none()) return text;
  auto both = name.empty() || mail.empty() ? name + mail : name + ", " + mail;
  return text + fmt::format(" (from \u2068{}\u2069)", both);
}

// Why the comment waits. The list of words may be another now.
std::string held_text(const Comment& comment, const shop::Shop* shop) {
  const auto& rule = comment.moderation.held_by;
  auto words = shop && rule == "words" ? shop->listed_in(comment) : std::string_view();
  constexpr std::size_t most = 80;  // between two words anything may stand, at any length
  if (!words.empty() && words.size() <= most)
    return fmt::format("Held: contains “\u2068{}\u2069”", words);
  return std::string(label_of(rules, rule));
}

// The fields of a reply, as it is, or as the shop begins one.
void fill_reply_form(Values& row, const Comment& comment, const ShownQueue& shown) {
  auto& reply = row.add("REPLY_FORM");
  const auto& present = comment.reply;
  std::string_view shop = shown.shop ? std::string_view(shown.shop->name) : "";
  reply.set("REPLY_AUTHOR", present ? std::string_view(present->author) : shop);
  reply.show(comment.published() ? Name("SHOWN") : Name("WAITS"));
  if (!present) return reply.show("NEW");
  reply.set("REPLY_TEXT", present->text);
  reply.show("REPLIED_TO");
}

void add_row(Values& rows, const Queued& queued, const std::string& product,
             const ShownQueue& shown) {
  const auto& texts = shown.texts;
  const auto& [comment, reports] = queued;
  auto& row = rows.add("ROW");
  auto tag = tag_without_votes(comment);
  row.set("ID", comment.id.text());
  row.set("TAG", std::string_view(tag).substr(1, tag.size() - 2));
  row.set("PRODUCT", product);
  auto of_product = from_start(shown.question);
  of_product.product = comment.product;
  row.set("PRODUCT_HREF", "?" + queue_query(of_product));
  row.set("RATING_VALUE", comment.rating);
  row.set("CREATED_ISO", shown.zone.time_text(comment.created_ms()));
  row.set("CREATED_TEXT", minute_text(comment.created_ms(), texts, shown.zone));
  row.set("TITLE", comment.title);
  auto beginning = beginning_of(comment.text).value_or(comment.text);
  row.set("TEXT", beginning);
  row.set("REST", std::string_view(comment.text).substr(beginning.size()));
  for (const auto& each : comment.media) {
    auto& picture = row.add("PICTURE");
    picture.set("URL", each.url);
    picture.set("ALT", each.alt.empty() ? "Picture" : "Picture: " + each.alt);
  }
  if (is_verified(comment)) row.show("VERIFIED");
  row.set("AUTHOR", comment.author);
  if (comment.author.empty()) row.show("ANONYMOUS");
  if (comment.language != "und") {
    row.set("LANG", comment.language);
    row.set("LANGUAGE_LABEL", texts.language(comment.language));
  }
  const auto& moderation = comment.moderation;
  if (moderation.status == CommentStatus::pending)
    row.set("HELD_TEXT", held_text(comment, shown.shop));
  if (!moderation.reason.empty()) row.set("REASON_TEXT", label_of(reasons, moderation.reason));
  row.set("NOTE", moderation.note);
  for (const auto& report : reports)
    row.add("REPORT").set("REPORT_TEXT", report_text(report, shown));
  if (comment.reply)
    row.set("REPLY", reply_label(texts, comment.reply->author) + ": " + comment.reply->text);
  if (!comment.published()) row.show("HELD");
  if (comment.published() && !reports.empty()) row.show("REPORTED");
  if (shown.replies && moderation.status != CommentStatus::rejected)
    fill_reply_form(row, comment, shown);
}

void add_option(Values& filter, Name name, std::string_view value, std::string_view label,
                bool chosen) {
  auto& option = filter.add(name);
  option.set("VALUE", value);
  option.set("LABEL", label);
  if (chosen) option.show("CHOSEN");
}

std::string_view order_text(Order order) {
  return order == Order::newest_first ? "Newest first" : "Oldest first";
}

// The form that filters the queue, as the question has it.
void fill_filter(Values& queue, const ShownQueue& shown) {
  const auto& question = shown.question;
  auto& filter = queue.add("FILTER");
  filter.set("STATUS", queue_name(question.kind));
  filter.set("PRODUCT", question.product);
  filter.set("WORDS", question.words);
  for (int rating = 1; rating <= 5; ++rating) {
    const auto& ratings = question.ratings;
    bool chosen = std::find(ratings.begin(), ratings.end(), rating) != ratings.end();
    auto stars = shown.texts.counted("stars", static_cast<std::uint64_t>(rating));
    add_option(filter, "RATING", std::to_string(rating), stars, chosen);
  }
  add_option(filter, "LANGUAGE", "", "Any", question.languages.empty());
  std::set<std::string> languages(question.languages.begin(), question.languages.end());
  for (const auto& row : shown.page.rows) languages.insert(row.comment.language);
  for (const auto& language : languages) {
    const auto& asked = question.languages;
    bool chosen = std::find(asked.begin(), asked.end(), language) != asked.end();
    add_option(filter, "LANGUAGE", language, shown.texts.language(language), chosen);
  }
  const auto& replied = question.replied;
  add_option(filter, "REPLIED", "", "Any", !replied);
  add_option(filter, "REPLIED", "false", "Without", replied == false);
  add_option(filter, "REPLIED", "true", "With", replied == true);
  if (has_rules(question.kind)) {
    auto& rule = filter.add("RULES");
    add_option(rule, "RULE", "", "Any", question.rule.empty());
    for (const auto& [name, label] : rule_names)
      add_option(rule, "RULE", name, label, question.rule == name);
  }
  bool newest = question.order == Order::newest_first;
  add_option(filter, "SORT", "-created_at", order_text(Order::newest_first), newest);
  add_option(filter, "SORT", "created_at", order_text(Order::oldest_first), !newest);
}

// Each condition of the question, with the way to the queue without it.
void fill_conditions(Values& queue, const ShownQueue& shown) {
  const auto& question = shown.question;
  const auto& texts = shown.texts;
  const auto start = from_start(question);
  auto usual = usual_order(question.kind);
  Values* conditions = nullptr;
  auto add = [&](std::string_view label, auto remove) {
    auto without = start;
    remove(without);
    if (!conditions) conditions = &queue.add("CONDITIONS");
    auto& condition = conditions->add("CONDITION");
    condition.set("LABEL", label);
    condition.set("HREF", "?" + queue_query(without));
  };
  if (!question.product.empty())
    add(shown.products.empty() ? question.product : shown.products[0],
        [](QueueQuestion& without) { without.product.clear(); });
  if (question.sought)
    add(fmt::format("“{}”", question.words),
        [](QueueQuestion& without) { without.sought.reset(); });
  for (int rating : question.ratings)
    add(texts.counted("stars", static_cast<std::uint64_t>(rating)),
        [&](QueueQuestion& without) { std::erase(without.ratings, rating); });
  for (const auto& language : question.languages)
    add(texts.language(language),
        [&](QueueQuestion& without) { std::erase(without.languages, language); });
  if (question.replied)
    add(*question.replied ? "With a reply" : "Without a reply",
        [](QueueQuestion& without) { without.replied.reset(); });
  if (!question.rule.empty())
    add(fmt::format("Held by: {}", label_of(rule_names, question.rule)),
        [](QueueQuestion& without) { without.rule.clear(); });
  if (question.order != usual)
    add(order_text(question.order), [&](QueueQuestion& without) { without.order = usual; });
  if (conditions)
    conditions->set("CLEAR_HREF", "?" + queue_query({.kind = question.kind, .order = usual}));
}

// What became of the last deed, and the way to take it back.
void fill_told(Values& queue, const ShownQueue& shown) {
  const auto& last = shown.outcome.last;
  const auto& round = shown.outcome.round;
  if (shown.told.empty()) return;
  auto& told = queue.add("OUTCOME");
  told.set("TOLD", shown.told);
  if (shown.outcome.undo.empty()) return;
  auto& form = told.add("UNDO");
  form.set("UNDO_NAME", shown.outcome.undo);
  auto together = last.published + last.rejected + shown.outcome.noted;
  if (together > 1) form.set("UNDO_ALL", together);
  form.set("BEFORE_PUBLISHED", round.published - std::min(round.published, last.published));
  form.set("BEFORE_REJECTED", round.rejected - std::min(round.rejected, last.rejected));
}

std::string count_text(std::uint64_t count, const texts::Texts& texts) {
  if (count > most_counted) return texts.number(most_counted) + "+";
  return texts.number(count);
}

void fill_tabs(Values& queue, const ShownQueue& shown) {
  constexpr std::string_view labels[] = {"Pending", "Reported", "Rejected", "Published"};
  auto of_kind = from_start(shown.question);
  for (std::size_t i = 0; i < shown_queues.size(); ++i) {
    auto& each = queue.add("KIND");
    each.set("LABEL", labels[i]);
    of_kind.kind = shown_queues[i];
    of_kind.order = usual_order(of_kind.kind);
    of_kind.rule = has_rules(of_kind.kind) ? shown.question.rule : std::string();
    each.set("HREF", "?" + queue_query(of_kind));
    if (of_kind.kind == shown.question.kind) each.show("CURRENT");
    const auto& [comments, in_all] = shown.counts[i];
    if (comments) each.set("COUNT", count_text(*comments, shown.texts));
    if (in_all) each.show("IN_ALL");
  }
}

// Of a page without comments: why there are none, what the moderator has done, where to go on.
void fill_empty(Values& queue, const ShownQueue& shown) {
  const auto& question = shown.question;
  auto& empty = queue.add("EMPTY");
  auto title = question.kind == Kind::pending    ? "No review waits."
               : question.kind == Kind::reported ? "No report waits."
               : question.kind == Kind::rejected ? "No review is rejected."
                                                 : "No review is published.";
  if (question.from()) title = "No review is here.";
  if (question.filtered()) title = "No review matches the filter.";
  empty.set("EMPTY_TITLE", title);
  const auto& round = shown.outcome.round;
  if (!round.none()) empty.set("ROUND", verdicts_text(round));
  if (question.from()) empty.set("FIRST_HREF", "?" + queue_query(from_start(question)));
  bool reports_wait = question.kind == Kind::pending && shown.counts[1].comments.value_or(0) > 0;
  if (reports_wait) empty.set("REPORTED_HREF", "?" + queue_query({.kind = Kind::reported}));
  bool reviews_wait = question.kind != Kind::pending && shown.counts[0].comments.value_or(0) > 0;
  if (reviews_wait) empty.set("PENDING_HREF", "?" + queue_query({}));
}

void fill_rows(Values& queue, const ShownQueue& shown) {
  auto& rows = queue.add("ROWS");
  rows.set("ORDER", order_text(shown.question.order));
  for (const auto& reason : reasons) {
    auto& each = rows.add("REASON");
    each.set("VALUE", reason.value);
    each.set("LABEL", reason.label);
  }
  for (std::size_t i = 0; i < shown.page.rows.size(); ++i)
    add_row(rows, shown.page.rows[i], shown.products[i], shown);
}

}  // namespace

Order usual_order(Kind kind) {
  return kind == Kind::published ? Order::newest_first : Order::oldest_first;
}

bool has_rules(Kind kind) {
  return kind == Kind::pending || kind == Kind::rejected;
}

bool is_rule(std::string_view name) {
  return std::any_of(std::begin(rule_names), std::end(rule_names),
                     [&](const Label& each) { return each.value == name; });
}

QueueQuestion from_start(QueueQuestion question) {
  question.after.reset();
  question.before.reset();
  return question;
}

std::string queue_query(const QueueQuestion& question) {
  std::string out = fmt::format("status={}", queue_name(question.kind));
  if (!question.product.empty()) out += "&product=" + percent_encode(question.product);
  for (int rating : question.ratings) out += "&rating=" + std::to_string(rating);
  for (const auto& language : question.languages) out += "&language=" + percent_encode(language);
  if (question.sought) out += "&q=" + percent_encode(question.words);
  if (question.replied) out += fmt::format("&replied={}", *question.replied);
  if (!question.rule.empty()) out += "&rule=" + question.rule;
  bool newest = question.order == Order::newest_first;
  if (question.order != usual_order(question.kind))
    out += newest ? "&sort=-created_at" : "&sort=created_at";
  if (question.after) out += "&after=" + question.after->text();
  if (question.before) out += "&before=" + question.before->text();
  return out;
}

void fill_queue(Values& out, const ShownQueue& shown) {
  const auto& question = shown.question;
  const auto& page = shown.page;
  auto& queue = out.add("QUEUE");
  queue.set("FORM_VALUE", shown.form_value);
  queue.set("BACK", queue_query(question));
  queue.set("ROUND_PUBLISHED", shown.outcome.round.published);
  queue.set("ROUND_REJECTED", shown.outcome.round.rejected);
  queue.set("MODERATOR", shown.moderator);
  if (shown.replies) queue.show("REPLIES");
  fill_told(queue, shown);
  fill_tabs(queue, shown);
  fill_filter(queue, shown);
  fill_conditions(queue, shown);
  if (page.ended_early) queue.show("EARLY");
  if (page.rows.empty() && !page.next && !page.previous) fill_empty(queue, shown);
  if (!page.rows.empty()) fill_rows(queue, shown);
  if (page.previous || page.next) queue.show("PAGER");
  auto beside = from_start(question);
  auto round = round_query(shown.outcome.round);
  beside.before = page.previous;
  if (page.previous) queue.set("PREVIOUS_HREF", "?" + queue_query(beside) + round);
  beside.before.reset();
  beside.after = page.next;
  if (page.next) queue.set("NEXT_HREF", "?" + queue_query(beside) + round);
}

void fill_sign_in(Values& out, std::string_view fault, std::string_view secret) {
  if (!secret.empty()) return out.set("SECRET", secret);
  out.add("SIGN_IN").set("FAULT", fault);
}

}  // namespace quire::http
