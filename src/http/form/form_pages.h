// The handlers of the form for comments. It needs no cookie and no script: a sealed field says who
// writes. Who may write: a customer with an invitation, a customer whose signed token the shop's
// page posts here, and anyone where the shop lets anyone write. A customer who may write no second
// comment sees the first one, changes and removes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/access/cross_origin.h"
#include "http/access/door.h"
#include "http/form/form_fields.h"
#include "http/html/html.h"
#include "http/message.h"
#include "http/parameters.h"
#include "http/site.h"
#include "http/templates/values.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// The parameters of the form's address. `fragment`: without a page around it.
inline const Names form_parameters = {"ticket", "rating", "fragment", "ui"};
inline const Names invitation_parameters = {"ticket", "product", "rating", "ui"};

// Handlers of routes. Thread-safe.
class FormPages {
 public:
  // All must outlive this.
  FormPages(Comments& comments, const Door& door, const CrossOrigin& cross_origin, const Site& site,
            const Html& html)
      : comments_(comments), door_(door), cross_origin_(cross_origin), site_(site), html_(html) {}

  // The products of an invitation, each with five stars that lead to its form. Leads on to the form
  // where there is one product, or the address names one.
  Awaitable<Response> choose(const Request& request);
  // The form of an invitation, or for anyone.
  Awaitable<Response> open(const Request& request);
  // The form of a customer with a signed token; or a comment that was written, changed or removed.
  Awaitable<Response> take(const Request& request);

 private:
  // A form to be shown.
  struct Filled {
    std::string product;
    desk::Writer writer;
    std::string sealed;
    Typed typed = {};
    Faults faults = {};
    bool fragment = false;
    unsigned status = 200;
  };

  const desk::Customers& customers() const { return door_.desk().customers(); }
  Awaitable<Response> products(const Request& request, std::string_view ticket,
                               const identity::Invitation& invitation) const;
  // The customer's own comment, or the form to write one.
  Awaitable<Response> begin(const Request& request, Filled filled) const;
  Awaitable<Response> show(const Request& request, Filled filled) const;
  Awaitable<Result<std::vector<Facet>>> fields() const;
  Awaitable<void> fill(const Request& request, Values& form, const std::vector<Facet>& fields,
                       Filled& filled) const;
  Awaitable<Offers> offers_for(const std::string& product) const;
  Awaitable<Response> send(const Request& request, const Typed& typed);
  // What was sent, to be shown again with its faults.
  static Filled again_of(const Request& request, const identity::SealedForm& form,
                         const Typed& typed);
  void renew(const identity::SealedForm& form, Filled& filled) const;
  void check_form(const identity::SealedForm& form, Filled& filled) const;
  Awaitable<Response> post(const Request& request, const desk::Permit& permit, Draft draft,
                           const std::vector<Facet>& fields, const identity::SealedForm& form,
                           Filled again);
  Awaitable<Response> sent(const Request& request, const Posted& posted,
                           const std::vector<Facet>& fields, const Filled& form) const;
  void fill_comment(Values& section, const Request& request, const Comment& comment,
                    const std::vector<Facet>& fields, const Filled& form) const;

  Awaitable<Response> change(const Request& request, const Typed& typed);
  Awaitable<Response> edit(const Request& request, const desk::Permit& permit, Ulid id,
                           Filled again);
  Awaitable<Response> remove(const Request& request, const desk::Permit& permit, Ulid id,
                             Filled again);
  Awaitable<Result<desk::Written>> written(const Request& request, desk::Writer writer,
                                           const std::string& product) const;
  // The comment as it is now. `done`: the name of a text; empty: none.
  Awaitable<Response> own_again(const Request& request, Filled filled, Ulid id,
                                std::string_view done = {}) const;
  Awaitable<Response> own(const Request& request, Filled filled, const desk::Written& written,
                          std::string_view done) const;

  // `why`: the name of a text.
  Awaitable<Response> closed(const Request& request, std::string_view why, bool fragment,
                             unsigned status = 403) const;
  // The same, with status and headers of a refusal that is for programs.
  Awaitable<Response> instead_of(const desk::Refusal& refused, const Request& request,
                                 std::string_view why, bool fragment) const;
  // Instead of what was sent. A customer who sends too much keeps it, above `own`, the customer's
  // comment, where that is changed.
  Awaitable<Response> refuse(const Request& request, const desk::Refusal& refusal, Filled again,
                             std::optional<Ulid> own = {}) const;
  Awaitable<Response> page(const Request& request, Values& values, bool fragment,
                           unsigned status) const;
  PageLinks links_of(const Look& look, const Request& request, bool fragment) const;

  Comments& comments_;
  const Door& door_;
  const CrossOrigin& cross_origin_;
  const Site& site_;
  const Html& html_;
};

}  // namespace quire::http
