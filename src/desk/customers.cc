#include "desk/customers.h"

#include <sys/random.h>

#include <algorithm>
#include <stdexcept>

#include "base/clock.h"

namespace quire::desk {
namespace {

Writer faulty(Refusal refusal) {
  Writer writer;
  writer.showed_proof = true;
  writer.fault = std::move(refusal);
  return writer;
}

Writer no_proof(std::string message) {
  return faulty({Refusal::Kind::unknown, std::move(message)});
}

}  // namespace

Customers::Customers(const shop::ShopFile* shop, const std::optional<identity::CustomerKey>& key)
    : shop_(shop), key_(key) {
  if (!key_) return;
  tickets_.emplace(*key_);
  forms_.emplace(*key_);
}

shop::Writers Customers::writers() const {
  return shop_ && key_ ? shop_->shop()->who : shop::Writers::nobody;
}

Writer Customers::identify(std::string_view token) const {
  auto shop = this->shop();
  if (!shop || !key_ || shop->issuers.empty())
    return no_proof(
        "This server knows no signed tokens: the shop file names nobody who signs, by "
        "[[identity]].");
  auto claims = identity::read_token(token, shop->issuers, system_ms());
  if (!claims) return no_proof("This signed token is not valid. " + claims.error().message);
  return Writer::of_customer({.hash = key_->hash(claims->customer),
                              .name = std::move(claims->name),
                              .verified = claims->verified,
                              .purchases = std::move(claims->purchases)});
}

std::variant<identity::Invitation, Refusal> Customers::invitation(std::string_view ticket) const {
  auto invitation = tickets_ ? tickets_->open(ticket) : std::nullopt;
  if (!invitation)
    return Refusal{
        Refusal::Kind::unknown,
        "This invitation is not one of this shop's, or was changed. Use the link as it was sent."};
  if (invitation->ends_ms <= system_ms())
    return Refusal{Refusal::Kind::unknown,
                   "This invitation has ended. Ask the shop for another one."};
  return std::move(*invitation);
}

bool Customers::is_for_several(std::string_view ticket) const {
  auto invitation = tickets_ ? tickets_->open(ticket) : std::nullopt;
  return invitation && invitation->products.size() > 1;
}

Writer Customers::invited(std::string_view ticket, std::string_view product,
                          const Present& present) const {
  auto opened = invitation(ticket);
  if (auto* refusal = std::get_if<Refusal>(&opened)) return faulty(std::move(*refusal));
  const auto& invitation = std::get<identity::Invitation>(opened);
  const auto& products = invitation.products;
  auto at = std::find(products.begin(), products.end(), product);
  if (at == products.end()) {
    auto wanted = present(std::string(product));
    at = std::find_if(products.begin(), products.end(),
                      [&](const auto& each) { return present(each) == wanted; });
  }
  if (at == products.end())
    return faulty({Refusal::Kind::forbidden, "This invitation is for another product."});
  Customer customer{.hash = invitation.customer, .name = invitation.name, .verified = true};
  customer.invitation = Customer::Invitation{invitation.id_for(*at), invitation.ends_ms};
  return Writer::of_customer(std::move(customer));
}

std::string Customers::sealed_form(const Writer& writer, const std::string& product,
                                   const Present& present) const {
  identity::SealedForm form{.made_ms = system_ms(), .product = product};
  if (getrandom(form.id.data(), form.id.size(), 0) != static_cast<ssize_t>(form.id.size()))
    throw std::runtime_error("the operating system gives no random bytes");
  if (const auto* customer = writer.customer.get()) {
    form.customer_known = true;
    form.customer = customer->hash;
    form.verified = customer->has_bought(product, present);
    form.name = customer->name;
    if (const auto& invitation = customer->invitation) {
      form.invited = true;
      form.ticket = invitation->ticket;
      form.ticket_ends_ms = invitation->ends_ms;
    }
  }
  return forms_->seal(form);
}

std::optional<identity::SealedForm> Customers::open_form(std::string_view text) const {
  return forms_ ? forms_->open(text) : std::nullopt;
}

Writer Customers::of_form(const identity::SealedForm& form) {
  if (!form.customer_known) return {};
  Customer customer{.hash = form.customer, .name = form.name, .verified = form.verified};
  if (form.invited) customer.invitation = Customer::Invitation{form.ticket, form.ticket_ends_ms};
  return Writer::of_customer(std::move(customer));
}

}  // namespace quire::desk
