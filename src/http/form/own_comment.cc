// The customer's own comment in place of an empty form: shown, changed and removed. What the
// customer may do is the desk's to say, as for programs.
#include <utility>
#include <variant>

#include "http/form/form_pages.h"
#include "http/problem.h"
#include "model/validate.h"

namespace quire::http {
namespace {

using desk::Deed;

// The name of the text that tells why the comment was not changed; empty: another fault.
std::string_view why_unchanged(const Error& error) {
  switch (error.code) {
    case ErrorCode::forbidden:
      return "own_late";
    case ErrorCode::not_found:
    case ErrorCode::precondition_failed:
      return "own_changed";
    default:
      return {};
  }
}

}  // namespace

Awaitable<Result<desk::Written>> FormPages::written(const Request& request, desk::Writer writer,
                                                    const std::string& product) const {
  auto admission = door_.admit(request, std::move(writer), Deed::read_written, product);
  if (const auto* refused = std::get_if<desk::Refusal>(&admission))
    co_return Error{ErrorCode::forbidden, refused->message};
  co_return co_await door_.desk().written(std::get<desk::Permit>(admission));
}

Awaitable<Response> FormPages::own(const Request& request, Filled filled,
                                   const desk::Written& written, std::string_view done) const {
  const auto& comment = *written.comment;
  auto fields = co_await this->fields();
  if (!fields) co_return problem(fields.error());
  auto look = html_.look(request.ui);
  TemplateValues values;
  auto& own = values.add("OWN");
  fill_comment(own, request, comment, *fields, filled);
  if (!done.empty()) own.set("DONE", look.texts()[done]);
  if (auto fault = filled.faults.extract(""); !fault.empty())
    own.set("OWN_FAULT", look.texts()[fault.mapped()]);
  if (comment.moderation.status == CommentStatus::rejected) {
    auto& rejected = own.add("REJECTED");
    auto name = "reason_" + comment.moderation.reason;
    if (!comment.moderation.reason.empty()) rejected.set("REASON_TEXT", look.texts()[name]);
  }
  own.set("ID", comment.id.text());
  own.set("ACTION", links_of(look, request, filled.fragment).review());
  own.set("SEALED", filled.sealed);
  own.set("TICKET", text_of(filled.typed, "ticket"));
  if (written.editable) {
    auto& form = own.add("FORM");
    form.set("EDIT", comment.id.text());
    form.set("TAG", written.tag);
    bool keeps = filled.status != 200 && !text_of(filled.typed, "edit").empty();
    if (keeps) {
      form.show("OPEN");
    } else {
      auto typed = typed_of(comment, *fields);
      typed.emplace_back("ticket", text_of(filled.typed, "ticket"));
      filled.typed = std::move(typed);
    }
    co_await fill(request, form, *fields, filled);
    const auto* customer = filled.writer.customer.get();
    if (customer && !customer->name.empty()) form.set("AS_NAME", comment.author);
  }
  auto response = co_await page(request, values, filled.fragment, filled.status);
  response.hides_host = site_.hears_of_sites(request);
  co_return response;
}

Awaitable<Response> FormPages::own_again(const Request& request, Filled filled, Ulid id,
                                         std::string_view done) const {
  auto written = co_await this->written(request, filled.writer, filled.product);
  if (!written) co_return problem(written.error());
  if (!written->comment || written->comment->id != id)
    co_return co_await closed(request, "own_gone", filled.fragment, 404);
  co_return co_await own(request, std::move(filled), *written, done);
}

Awaitable<Response> FormPages::change(const Request& request, const Typed& typed) {
  const auto& product = request.captures[0];
  bool fragment = text_of(typed, "fragment") == "true";
  bool removes = !text_of(typed, "remove").empty();
  auto form = customers().open_form(text_of(typed, "form"));
  auto id = Ulid::parse(text_of(typed, removes ? "remove" : "edit"));
  if (!form || form->product != product || !form->customer_known || !id)
    co_return co_await closed(request, "closed_unknown", fragment, 400);
  if (site_.is_foreign(request) && !cross_origin_.allows(request))
    co_return co_await closed(request, "closed_foreign", fragment);
  auto again = again_of(request, *form, typed);
  auto deed = removes ? Deed::remove : Deed::edit;
  auto admission = door_.admit(request, again.writer, deed);
  if (const auto* refused = std::get_if<desk::Refusal>(&admission))
    co_return co_await refuse(request, *refused, std::move(again), id);
  renew(*form, again);
  if (!again.faults.empty() && removes)
    co_return co_await closed(request, form->invited ? "closed_invitation" : "closed_token",
                              fragment);
  if (!again.faults.empty()) co_return co_await show(request, std::move(again));
  // What the form shows is changed by it, and no other comment of the customer.
  auto written = co_await this->written(request, again.writer, again.product);
  if (!written) co_return problem(written.error());
  if (!written->comment || written->comment->id != *id)
    co_return co_await closed(request, "own_gone", fragment, 404);
  const auto& permit = std::get<desk::Permit>(admission);
  if (removes) co_return co_await remove(request, permit, *id, std::move(again));
  co_return co_await edit(request, permit, *id, std::move(again));
}

Awaitable<Response> FormPages::edit(const Request& request, const desk::Permit& permit, Ulid id,
                                    Filled again) {
  auto fields = co_await this->fields();
  if (!fields) co_return problem(fields.error());
  auto draft = draft_of(again.typed, *fields, again.product, again.faults);
  if (auto refused = check(draft); !refused) add_faults(refused.error(), again.faults);
  if (!again.faults.empty()) co_return co_await own_again(request, std::move(again), id);
  auto patch = patch_of(std::move(draft), *fields, !again.writer.customer->name.empty());
  std::vector<std::string> tags;
  if (auto tag = text_of(again.typed, "tag"); !tag.empty()) tags.emplace_back(tag);
  auto edited = co_await door_.desk().edit(permit, id, std::move(patch), std::move(tags));
  if (edited) {
    again.status = 200;
    co_return co_await own_again(request, std::move(again), id, "own_saved");
  }
  add_faults(edited.error(), again.faults);
  if (auto why = why_unchanged(edited.error()); !why.empty()) again.faults[""] = why;
  if (again.faults.empty()) co_return problem(edited.error());
  co_return co_await own_again(request, std::move(again), id);
}

Awaitable<Response> FormPages::remove(const Request& request, const desk::Permit& permit, Ulid id,
                                      Filled again) {
  auto removed = co_await door_.desk().remove(permit, id, {});
  if (!removed && removed.error().code == ErrorCode::not_found)
    co_return co_await closed(request, "own_gone", again.fragment, 404);
  if (!removed) co_return problem(removed.error());
  TemplateValues values;
  values.show("REMOVED");
  auto response = co_await page(request, values, again.fragment, 200);
  response.hides_host = site_.hears_of_sites(request);
  co_return response;
}

}  // namespace quire::http
