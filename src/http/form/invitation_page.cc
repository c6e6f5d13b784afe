// The page of an invitation to write of several products.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "http/form/form_pages.h"
#include "http/html/parts.h"
#include "http/problem.h"
#include "model/validate.h"

namespace quire::http {
namespace {

constexpr std::string_view ratings[] = {"1", "2", "3", "4", "5"};

struct InvitedProduct {
  std::string product;
  desk::Written written;

  // Whether its form takes no comment any more.
  bool is_done() const { return written.comment || written.removed || written.elsewhere; }
};

// The form of a product. `rating`: the star that is chosen there; empty: none.
std::string form_address(const PageLinks& links, std::string_view ticket, std::string_view rating) {
  auto address = links.review();
  address.append(address.find('?') == address.npos ? "?" : "&").append("ticket=");
  append_percent_encoded(address, ticket);
  if (!rating.empty()) address.append("&rating=").append(rating);
  return address;
}

// The stars that lead to the form, with a rating each.
void fill_stars(Values& row, const PageLinks& links, std::string_view ticket,
                const texts::Texts& texts) {
  auto& stars = row.add("STARS");
  for (auto rating : ratings) {
    auto& star = stars.add("STAR");
    star.set("STAR_HREF", form_address(links, ticket, rating));
    star.set("RATING_LABEL", texts.counted("stars", static_cast<std::uint64_t>(rating[0] - '0')));
  }
}

// What the customer has written already.
void fill_done(Values& row, const desk::Written& written, const texts::Texts& texts) {
  auto& done = row.add("DONE");
  if (!written.comment)
    return done.set("TOLD", texts[written.removed ? "own_gone" : "form_written_twice"]);
  auto rating = static_cast<std::uint64_t>(written.comment->rating);
  bool waits = written.comment->moderation.status == CommentStatus::pending;
  done.set("TOLD", texts[waits ? "form_waits" : "reviewed"]);
  done.set("RATING_VALUE", rating);
  done.set("RATING_TEXT", texts.number(rating));
}

}  // namespace

Awaitable<Response> FormPages::choose(const Request& request) {
  auto look = html_.look(request.ui);
  auto told = [&](std::string_view why, unsigned status) {
    TemplateValues values;
    values.set("CLOSED", look.texts()[why]);
    return html_.invitation(look, values, status);
  };
  if (customers().writers() == shop::Writers::nobody) co_return told("closed_here", 403);
  auto ticket = parameter(request, "ticket").value_or("");
  auto opened = customers().invitation(ticket);
  if (const auto* refusal = std::get_if<desk::Refusal>(&opened)) {
    auto refused = problem(*refusal);
    auto response = told("closed_invitation", refused.status);
    response.headers += refused.headers;
    co_return response;
  }
  const auto& invitation = std::get<identity::Invitation>(opened);
  auto product = parameter(request, "product");
  if (invitation.products.size() == 1) product = invitation.products.front();
  if (!product || !check_product(std::string(*product)))
    co_return co_await products(request, ticket, invitation);
  auto rating = parameter(request, "rating").value_or("");
  bool chosen = std::find(std::begin(ratings), std::end(ratings), rating) != std::end(ratings);
  co_return redirect(303, form_address(look.links(std::string(*product)), ticket,
                                       chosen ? rating : std::string_view()));
}

Awaitable<Response> FormPages::products(const Request& request, std::string_view ticket,
                                        const identity::Invitation& invitation) const {
  std::vector<InvitedProduct> rows;
  for (const auto& product : invitation.products) {
    auto written = co_await this->written(request, door_.desk().invited(ticket, product), product);
    if (!written) co_return problem(written.error());
    rows.push_back({product, std::move(*written)});
  }
  auto done = std::stable_partition(rows.begin(), rows.end(),
                                    [](const auto& each) { return !each.is_done(); });
  auto look = html_.look(request.ui);
  TemplateValues values;
  auto& list = values.add("PRODUCTS");
  for (const auto& each : rows) {
    auto facts = co_await comments_.facts_of(each.product);
    if (!facts) co_return problem(facts.error());
    auto links = look.links(each.product);
    auto& row = list.add("PRODUCT");
    row.set("NAME", *facts ? (*facts)->name : each.product);
    fill_product(row, look, *facts ? &**facts : nullptr);
    row.set("HREF", form_address(links, ticket, {}));
    if (each.is_done())
      fill_done(row, each.written, look.texts());
    else
      fill_stars(row, links, ticket, look.texts());
  }
  if (done != rows.begin()) {
    auto& invited = values.add("INVITED");
    invited.set("CUSTOMER", invitation.name);
    invited.set("DAY", look.texts().day(look.zone().local_ms(invitation.ends_ms - 1)));
  }
  auto response = html_.invitation(look, values, 200);
  response.hides_host = done != rows.end() && site_.hears_of_sites(request);
  co_return response;
}

}  // namespace quire::http
