#include "http/form/report_pages.h"

#include <stdexcept>
#include <variant>

#include "http/html/shown_comment.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/document.h"
#include "model/moderation.h"

namespace quire::http {
namespace {

using desk::Deed;

constexpr std::string_view reason_of_notices = "unlawful";  // the reason that makes a report one

Report report_of(const Typed& typed) {
  auto text = [&](std::string_view name, std::string_view end) {
    return with_lines(text_of(typed, name), end);
  };
  Report report{
      .person = {}, .at_ms = 0, .reason = text("reason", " "), .note = text("note", "\n")};
  std::erase(report.note, '\r');
  // The fields of other reasons are hidden, whatever was typed before.
  if (report.reason != reason_of_notices) return report;
  report.contact.name = text("name", " ");
  report.contact.mail = text("mail", " ");
  return report;
}

// A notice says why, and that it is made in good faith. Its name and mail may stay empty, since the
// law asks for neither where children are abused.
Faults faults_of(const Typed& typed, const Report& report) {
  Faults faults;
  bool notices = report.reason == reason_of_notices;
  if (notices && report.note.empty()) faults["note"] = "fault_notice";
  if (notices && text_of(typed, "good_faith").empty()) faults["good_faith"] = "fault_good_faith";
  if (auto checked = check(report); !checked) add_faults(checked.error(), faults);
  if (faults.contains("reason")) faults["reason"] = "fault_reason";
  if (faults.contains("mail")) faults["mail"] = "fault_mail";
  return faults;
}

struct Field {
  std::string_view name, label;
  Name fault;
};
constexpr Field fields[] = {{"reason", "report_reason", "REASON_FAULT"},
                            {"note", "report_note", "NOTE_FAULT"},
                            {"name", "your_full_name", "NAME_FAULT"},
                            {"mail", "your_mail", "MAIL_FAULT"},
                            {"good_faith", "notice", "GOOD_FAITH_FAULT"}};

void fill_form(Values& form, const Typed& typed, const Faults& faults, const texts::Texts& texts) {
  for (auto reason : reasons) {
    auto& option = form.add("OPTION");
    option.set("VALUE", reason);
    auto name = "reason_" + std::string(reason);
    option.set("LABEL", texts[name]);
    if (text_of(typed, "reason") == reason) option.show("CHOSEN");
  }
  form.set("NOTE", text_of(typed, "note"));
  form.set("NAME", text_of(typed, "name"));
  form.set("MAIL", text_of(typed, "mail"));
  if (!text_of(typed, "good_faith").empty()) form.show("GOOD_FAITH");
  if (auto fault = faults.find(""); fault != faults.end())
    form.set("FORM_FAULT", texts[fault->second]);
  Values* again = nullptr;
  for (const auto& [name, label, mark] : fields) {
    auto fault = faults.find(name);
    if (fault == faults.end()) continue;
    form.set(mark, texts[fault->second]);
    if (!again) again = &form.add("AGAIN");
    auto& row = again->add("FAULTY");
    row.set("FAULTY_ID", name);
    row.set("FAULTY_LABEL", texts[label]);
    row.set("FAULTY_TEXT", texts[fault->second]);
  }
}

void fill_reported(Values& out, Comment comment, const texts::Texts& texts) {
  out.set("RATING_VALUE", comment.rating);
  out.set("RATING_TEXT", texts.number(static_cast<std::uint64_t>(comment.rating)));
  if (comment.language != "und" && comment.language != texts.tag())
    out.set("LANG", comment.language);
  auto [shown, cut] = excerpt_of(std::move(comment));
  out.set("TITLE", shown.title);
  out.set("EXCERPT", cut ? shown.text + " …" : shown.text);
  out.set("AUTHOR", shown.author);
}

}  // namespace

// What the page shows.
struct ReportPages::Filled {
  Typed typed = {};
  Faults faults = {};
  bool taken = false, stays = false;
  bool has_contact = false;
  unsigned status = 200;
};

Awaitable<Response> ReportPages::show(const Request& request, Filled filled) const {
  auto found = co_await comments_.get(request.captures[0]);
  if (!found) co_return problem(found.error());
  auto comment = decode_document(found->document);
  if (!comment) throw std::runtime_error("comment " + request.captures[0] + " is damaged");
  auto facts = co_await comments_.facts_of(comment->product);
  if (!facts) co_return problem(facts.error());
  auto look = html_.look(request.ui);
  auto links = look.links(comment->product);
  auto id = comment->id.text();
  TemplateValues page;
  page.set("PRODUCT", *facts ? (*facts)->name : comment->product);
  page.set("PRODUCT_HREF", links.product());
  fill_reported(page, std::move(*comment), look.texts());
  if (filled.taken) {
    auto& taken = page.add("TAKEN");
    if (filled.stays) taken.set("PLACE_HREF", links.comment_place(id));
    if (filled.has_contact) taken.show("CONTACT");
  } else {
    auto& form = page.add("FORM");
    form.set("ACTION", links.report(id));
    fill_form(form, filled.typed, filled.faults, look.texts());
  }
  co_return html_.report(look, page, filled.status);
}

Awaitable<Response> ReportPages::open(const Request& request) {
  if (!comments_.moderates()) co_return problem("forbidden", "This store keeps no reports.");
  co_return co_await show(request, {});
}

Awaitable<Response> ReportPages::take(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  Filled filled{.typed = form_of(request.body), .status = 422};
  if (site_.is_foreign(request) && !cross_origin_.allows(request)) {
    filled.faults[""] = "closed_foreign";
    filled.status = 403;
    co_return co_await show(request, std::move(filled));
  }
  auto& desk = door_.desk();
  auto admission = door_.admit(request, desk.writer_of({}), Deed::report);
  if (const auto* refused = std::get_if<desk::Refusal>(&admission)) co_return problem(*refused);
  auto report = report_of(filled.typed);
  filled.faults = faults_of(filled.typed, report);
  if (!filled.faults.empty()) co_return co_await show(request, std::move(filled));
  filled = {.taken = true, .has_contact = !report.contact.none()};
  // Made before, since the report may hold the comment.
  auto response = co_await show(request, filled);
  if (response.status != 200) co_return response;
  auto taken = co_await desk.report(std::get<desk::Permit>(admission), *id, std::move(report));
  if (!taken) co_return problem(taken.error());
  filled.stays = true;
  auto beside = co_await show(request, std::move(filled));  // the comment, which is still there
  co_return beside.status == 200 ? std::move(beside) : std::move(response);
}

}  // namespace quire::http
