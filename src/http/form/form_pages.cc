#include "http/form/form_pages.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "http/html/parts.h"
#include "http/problem.h"
#include "model/validate.h"

namespace quire::http {
namespace {

// Of a form that does not open. An element asks before it knows who may write, and a browser tells
// of each 403 as of a fault.
unsigned closed_status(bool fragment) {
  return fragment ? 200 : 403;
}

}  // namespace

PageLinks FormPages::links_of(const Look& look, const Request& request, bool fragment) const {
  return look.links(request.captures[0], fragment ? site_.root(request) : std::string());
}

Awaitable<Response> FormPages::page(const Request& request, Values& values, bool fragment,
                                    unsigned status) const {
  auto facts = co_await comments_.facts_of(request.captures[0]);
  if (!facts) co_return problem(facts.error());
  auto look = html_.look(request.ui);
  values.set("PRODUCT", *facts ? (*facts)->name : request.captures[0]);
  if (!fragment) fill_product(values, look, *facts ? &**facts : nullptr);
  values.set("PRODUCT_HREF", links_of(look, request, fragment).product());
  co_return html_.review(look, values, fragment, site_.root(request), status);
}

Awaitable<Response> FormPages::closed(const Request& request, std::string_view why, bool fragment,
                                      unsigned status) const {
  TemplateValues values;
  auto look = html_.look(request.ui);
  auto& section = values.add("CLOSED");
  section.set("WHY", look.texts()[why]);
  if (const auto& shop = look.face->shop(); shop && !shop->write_url.empty())
    section.set("WRITE_HREF", shop::address_for(shop->write_url, request.captures[0]));
  co_return co_await page(request, values, fragment, status);
}

Awaitable<Response> FormPages::instead_of(const desk::Refusal& refusal, const Request& request,
                                          std::string_view why, bool fragment) const {
  auto refused = problem(refusal);
  auto response = co_await closed(request, why, fragment, refused.status);
  response.headers += refused.headers;
  co_return response;
}

Awaitable<Response> FormPages::refuse(const Request& request, const desk::Refusal& refusal,
                                      Filled again, std::optional<Ulid> own) const {
  if (refusal.kind != desk::Refusal::Kind::too_often)
    co_return co_await instead_of(refusal, request, "closed_customers", again.fragment);
  auto refused = problem(refusal);
  again.faults[""] = "form_lost";
  again.status = refused.status;
  auto page = own ? own_again(request, std::move(again), *own) : show(request, std::move(again));
  auto response = co_await std::move(page);
  response.headers += refused.headers;
  co_return response;
}

Awaitable<Result<std::vector<Facet>>> FormPages::fields() const {
  auto shop = customers().shop();
  auto known = co_await comments_.facets();
  if (!known) co_return known.error();
  co_return fields_of(shop ? shop->fields : std::vector<std::string>(), *known);
}

Awaitable<void> FormPages::fill(const Request& request, Values& form,
                                const std::vector<Facet>& fields, Filled& filled) const {
  auto shop = customers().shop();
  auto look = html_.look(request.ui);
  const auto* customer = filled.writer.customer.get();
  bool named = customer && !customer->name.empty();
  form.set("ACTION", links_of(look, request, filled.fragment).review());
  form.set("SEALED", filled.sealed);
  if (named) form.set("AS_NAME", customer->name);
  form.set("TICKET", text_of(filled.typed, "ticket"));
  if (auto fault = filled.faults.find(""); fault != filled.faults.end())
    form.set("FORM_FAULT", look.texts()[fault->second]);
  if (text_of(filled.typed, "language").empty()) {
    auto accepted = request.header(Field::accept_language);
    bool of_page = request.ui.by_address || accepted.empty() || accepted == "*";
    filled.typed.emplace_back("language", of_page ? request.ui.language : first_language(accepted));
  }
  Offers offers;
  if (std::any_of(fields.begin(), fields.end(), takes_offers))
    offers = co_await offers_for(filled.product);
  fill_fields(form, filled.typed, fields, offers, filled.faults, named, look.texts());
  if (shop && shop->hold == shop::Hold::all) form.show("READ_FIRST");
}

Awaitable<Response> FormPages::show(const Request& request, Filled filled) const {
  auto fields = co_await this->fields();
  if (!fields) co_return problem(fields.error());
  TemplateValues values;
  auto& form = values.add("FORM");
  form.show("SENDS");
  co_await fill(request, form, *fields, filled);
  co_return co_await page(request, values, filled.fragment, filled.status);
}

// Without counts the form offers nothing, and works.
Awaitable<Offers> FormPages::offers_for(const std::string& product) const {
  Query query{.product = product, .limit = 1, .counts = true};
  auto page = co_await comments_.page(query);
  if (!page) co_return Offers();
  co_return offers_of(page->facets);
}

Awaitable<Response> FormPages::open(const Request& request) {
  const auto& product = request.captures[0];
  if (auto named = check_product(product); !named) co_return problem(named.error());
  bool fragment = parameter(request, "fragment") == "true";
  auto who = customers().writers();
  auto ticket = parameter(request, "ticket");
  auto writer = ticket ? door_.desk().invited(*ticket, product) : desk::Writer();
  if (who == shop::Writers::nobody && (!ticket || writer.fault))
    co_return co_await closed(request, "closed_here", fragment, closed_status(fragment));
  if (writer.fault)
    co_return co_await instead_of(*writer.fault, request, "closed_invitation", fragment);
  if (!ticket && who != shop::Writers::anyone)
    co_return co_await closed(request, "closed_customers", fragment, closed_status(fragment));
  Filled filled{.product = product,
                .writer = writer,
                .sealed = door_.desk().sealed_form(writer, product),
                .fragment = fragment};
  for (auto name : {"ticket", "rating"})
    if (auto value = parameter(request, name)) filled.typed.emplace_back(name, *value);
  co_return co_await begin(request, std::move(filled));
}

Awaitable<Response> FormPages::begin(const Request& request, Filled filled) const {
  bool fragment = filled.fragment;
  auto told = [&](std::string_view why) {
    return closed(request, why, fragment, closed_status(fragment));
  };
  if (!filled.writer.customer) co_return co_await show(request, std::move(filled));
  auto written = co_await this->written(request, filled.writer, filled.product);
  if (!written) co_return problem(written.error());
  if (written->comment) co_return co_await own(request, std::move(filled), *written, {});
  if (customers().writers() == shop::Writers::nobody) co_return co_await told("closed_here");
  if (written->removed) co_return co_await told("own_gone");
  if (written->elsewhere) co_return co_await told("form_written_twice");
  co_return co_await show(request, std::move(filled));
}

Awaitable<Response> FormPages::take(const Request& request) {
  const auto& product = request.captures[0];
  if (auto named = check_product(product); !named) co_return problem(named.error());
  auto typed = form_of(request.body);
  bool fragment = text_of(typed, "fragment") == "true";
  auto token = text_of(typed, "token");
  bool changes = !text_of(typed, "edit").empty() || !text_of(typed, "remove").empty();
  if (token.empty() && changes) co_return co_await change(request, typed);
  auto writer = token.empty() ? desk::Writer() : customers().identify(token);
  if (customers().writers() == shop::Writers::nobody && (token.empty() || writer.fault))
    co_return co_await closed(request, "closed_here", fragment,
                              closed_status(fragment && !token.empty()));
  if (token.empty()) co_return co_await send(request, typed);
  if (writer.fault) co_return co_await instead_of(*writer.fault, request, "closed_token", fragment);
  Filled filled{.product = product,
                .writer = writer,
                .sealed = door_.desk().sealed_form(writer, product),
                .fragment = fragment};
  co_return co_await begin(request, std::move(filled));
}

// An old form that may be sent anew is sealed anew; of another one it is a fault. That of an
// invitation ends with it.
void FormPages::renew(const identity::SealedForm& form, Filled& filled) const {
  auto now = system_ms();
  bool old = now > form.made_ms + identity::FormSeals::max_age_ms;
  if (form.invited && now >= form.ticket_ends_ms)
    filled.faults[""] = "closed_invitation";
  else if (old && (!form.customer_known || form.invited))
    filled.sealed = door_.desk().sealed_form(filled.writer, filled.product);
  else if (old)
    filled.faults[""] = "form_ended";
}

// The faults of the form as a whole.
void FormPages::check_form(const identity::SealedForm& form, Filled& filled) const {
  renew(form, filled);
  if (!text_of(filled.typed, "website").empty()) filled.faults[""] = "form_filled";
}

FormPages::Filled FormPages::again_of(const Request& request, const identity::SealedForm& form,
                                      const Typed& typed) {
  return {.product = request.captures[0],
          .writer = desk::Customers::of_form(form),
          .sealed = std::string(text_of(typed, "form")),
          .typed = typed,
          .fragment = text_of(typed, "fragment") == "true",
          .status = 422};
}

Awaitable<Response> FormPages::send(const Request& request, const Typed& typed) {
  const auto& product = request.captures[0];
  bool fragment = text_of(typed, "fragment") == "true";
  auto form = customers().open_form(text_of(typed, "form"));
  if (!form || form->product != product)
    co_return co_await closed(request, "closed_unknown", fragment, 400);
  if (site_.is_foreign(request) && !cross_origin_.allows(request))
    co_return co_await closed(request, "closed_foreign", fragment);
  auto again = again_of(request, *form, typed);
  auto admission = door_.admit(request, again.writer, desk::Deed::post, product);
  if (const auto* refused = std::get_if<desk::Refusal>(&admission))
    co_return co_await refuse(request, *refused, std::move(again));
  check_form(*form, again);
  if (!again.faults.empty()) co_return co_await show(request, std::move(again));
  auto fields = co_await this->fields();
  if (!fields) co_return problem(fields.error());
  auto draft = draft_of(typed, *fields, product, again.faults);
  if (auto refused = check(draft); !refused) add_faults(refused.error(), again.faults);
  if (again.faults.empty() && system_ms() < form->made_ms + identity::FormSeals::min_age_ms)
    again.faults[""] = "form_quick";
  if (!again.faults.empty()) co_return co_await show(request, std::move(again));
  co_return co_await post(request, std::get<desk::Permit>(admission), std::move(draft), *fields,
                          *form, std::move(again));
}

Awaitable<Response> FormPages::post(const Request& request, const desk::Permit& permit, Draft draft,
                                    const std::vector<Facet>& fields,
                                    const identity::SealedForm& form, Filled again) {
  // A form that is sent twice makes one comment.
  auto key = "form " + base64url_encode(form.id);
  auto posted = co_await door_.desk().post(permit, std::move(draft), std::move(key));
  if (posted) co_return co_await sent(request, *posted, fields, again);
  const auto& error = posted.error();
  if (error.code == ErrorCode::already_written) {
    again.faults[""] = form.invited ? "form_invited_twice" : "form_written_twice";
  } else if (error.code == ErrorCode::idempotency_conflict) {
    again.faults[""] = "form_conflict";
  } else {
    add_faults(error, again.faults);
  }
  if (again.faults.empty()) co_return problem(error);
  co_return co_await show(request, std::move(again));
}

void FormPages::fill_comment(Values& section, const Request& request, const Comment& comment,
                             const std::vector<Facet>& fields, const Filled& form) const {
  auto look = html_.look(request.ui);
  auto links = links_of(look, request, form.fragment);
  if (comment.published()) section.set("COMMENT_HREF", links.comment_place(comment.id.text()));
  if (comment.moderation.status == CommentStatus::pending) section.show("WAITS");
  section.set("RATING_VALUE", comment.rating);
  section.set("RATING_TEXT", look.texts().number(static_cast<std::uint64_t>(comment.rating)));
  if (!comment.title.empty() || !comment.text.empty()) section.show("WORDS");
  section.set("SENT_TITLE", comment.title);
  section.set("SENT_TEXT", comment.text);
  section.set("SENT_AUTHOR", comment.author);
  fill_attributes(section, comment, fields, look.texts());
  if (comment.author.empty()) section.show("ANONYMOUS");
  if (comment.language != "und") section.set("LANG", comment.language);
  auto ticket = text_of(form.typed, "ticket");
  if (customers().is_for_several(ticket))
    section.set("OTHERS_HREF", look.links().invited(ticket));
  else
    section.show("LAST");
}

Awaitable<Response> FormPages::sent(const Request& request, const Posted& posted,
                                    const std::vector<Facet>& fields, const Filled& form) const {
  TemplateValues values;
  fill_comment(values.add("SENT"), request, posted.comment, fields, form);
  co_return co_await page(request, values, form.fragment, 200);
}

}  // namespace quire::http
