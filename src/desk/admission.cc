// The first step: may this writer do this deed, and now?
#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "desk/desk.h"
#include "desk/fields.h"

namespace quire::desk {
namespace {

Refusal forbidden(std::string message) {
  return {Refusal::Kind::forbidden, std::move(message)};
}

Refusal unknown(std::string message) {
  return {Refusal::Kind::unknown, std::move(message)};
}

Refusal too_often(std::string_view what, std::uint64_t wait) {
  return {Refusal::Kind::too_often, fmt::format("{} Try again in {} s.", what, wait), wait};
}

std::string lacks(Scope scope) {
  return fmt::format(
      "This token may not do that: it lacks the scope \"{0}\". Use a token that has it: "
      "quire token new --scopes {0}",
      scope_name(scope));
}

// Those who run the readers of feeds know the address, and with it the token in it.
Refusal wants_feed_token() {
  return forbidden(
      "A token in an address opens the feed alone, since others come to know it. Make such a "
      "token: "
      "quire token new --scopes atom");
}

std::optional<Refusal> wants_reader(const Rights& rights) {
  if (rights.deed == Deed::read_feed)
    return unknown(
        "This feed needs a token in its address, /comments.atom?token=TOKEN, which opens nothing "
        "else: quire token new --scopes atom");
  return unknown(
      "This list needs Authorization: Bearer TOKEN, with a token of the scope \"moderate\".");
}

std::optional<Refusal> refuses_holder(const Writer& writer, const Rights& rights,
                                      std::string_view product) {
  auto may = [&](Scope scope) { return writer.may(scope); };
  if (!std::any_of(rights.scopes.begin(), rights.scopes.end(), may))
    return forbidden(lacks(rights.scopes.front()));
  bool feed_alone = writer.token->scopes == std::vector{Scope::atom};
  if (rights.deed == Deed::read_feed && !feed_alone) return wants_feed_token();
  auto prefix = writer.products();
  if (rights.of == Of::all && !prefix.empty())
    return forbidden(
        "This token is for the products of its prefix. What is kept of a customer needs a token "
        "for all products.");
  if (rights.of == Of::product && !product.starts_with(prefix))
    return forbidden(beyond(prefix).message);
  return {};
}

// Customers and nobody else: neither a token of this server nor trust makes one of a writer.
std::optional<Refusal> wants_customer(const Rights& rights) {
  if (rights.others == Others::anyone) return {};
  if (rights.others == Others::voters)
    return unknown(
        "Votes are of customers: Authorization: Bearer TOKEN, with a signed token of the shop.");
  return unknown(
      "This is for customers: Authorization: Bearer TOKEN, with a signed token of the shop.");
}

}  // namespace

std::shared_ptr<const Tokens> Desk::tokens() const {
  return options_.tokens ? options_.tokens() : nullptr;
}

Writer Desk::writer_of(const Proofs& proofs) const {
  Writer writer;
  writer.showed_proof = proofs.authorized || proofs.invitation;
  if (proofs.invitation && proofs.authorized) {
    writer.fault = {Refusal::Kind::malformed,
                    "Send either Authorization or Invitation: a post has one writer."};
    return writer;
  }
  if (proofs.invitation) return invited(*proofs.invitation, proofs.product);
  if (identity::is_signed_token(proofs.bearer)) return customers_.identify(proofs.bearer);
  auto tokens = this->tokens();
  const Token* token = tokens && !proofs.bearer.empty() ? tokens->find(proofs.bearer) : nullptr;
  if (!token) return writer;
  if (!token->ended(system_ms())) return Writer::of_holder(std::move(tokens), *token);
  writer.fault = unknown("This token ended with " + token->until + ". Ask for a new one.");
  return writer;
}

Writer Desk::invited(std::string_view ticket, std::string_view product) const {
  return customers_.invited(ticket, product, presence());
}

std::string Desk::sealed_form(const Writer& writer, const std::string& product) const {
  return customers_.sealed_form(writer, product, presence());
}

Present Desk::presence() const {
  return [this](const std::string& each) { return present(each); };
}

std::optional<Writer> Desk::moderator_by(std::string_view secret, bool local) const {
  if (!options_.moderator || !local) return {};
  return options_.moderator->spend(secret);
}

std::optional<Refusal> Desk::refuses(const Writer& writer, const Rights& rights,
                                     std::string_view product) const {
  if (writer.is_trusted() && !rights.scopes.empty()) return {};
  if (writer.fault) return writer.fault;
  if (shows(rights) && !(writer.kind == Writer::Kind::stranger && writer.showed_proof)) return {};
  if (writer.kind == Writer::Kind::customer) return refuses_customer(writer, rights);
  if (writer.kind == Writer::Kind::stranger) return refuses_stranger(writer, rights);
  if (rights.scopes.empty()) return wants_customer(rights);
  return refuses_holder(writer, rights, product);
}

// Whether the shop lets anyone do this. A proof that nobody knows is refused all the same.
bool Desk::shows(const Rights& rights) const {
  auto shop = this->shop();
  return rights.others == Others::readers && shop && shop->public_lists;
}

std::optional<Refusal> Desk::refuses_customer(const Writer& writer, const Rights& rights) const {
  auto shop = this->shop();
  if (writer.customer->invitation && !rights.invited)
    return forbidden(
        "An invitation opens the one comment that it makes. For all else sign in at the shop.");
  if (rights.others == Others::none || rights.others == Others::readers)
    return forbidden("A customer may not do that. It needs a token of this server.");
  if (rights.others == Others::voters && !(shop && shop->votes))
    return forbidden(
        "This shop takes no votes: its shop file has no who = \"customers\" in [votes].");
  bool writes = rights.others == Others::writers || rights.others == Others::posters;
  if (writes && customers_.writers() == shop::Writers::nobody)
    return forbidden("This shop takes no comments of customers.");
  return {};
}

std::optional<Refusal> Desk::refuses_stranger(const Writer& writer, const Rights& rights) const {
  if (rights.others == Others::anyone) return {};
  if (rights.others == Others::readers) return wants_reader(rights);
  if (rights.scopes.empty()) return wants_customer(rights);
  auto who = customers_.writers();
  if (options_.demo && rights.deed == Deed::post && !writer.showed_proof) {
    if (writer.local) return {};
    return forbidden(
        "In a demo only pages and programs of this machine may post: Host, and Origin if there is "
        "one, must be localhost or a loopback address.");
  }
  bool posts = rights.others == Others::posters && !writer.showed_proof;
  if (posts && who == shop::Writers::anyone) return {};
  bool customers = rights.others != Others::none && who != shop::Writers::nobody;
  if (!tokens() && !options_.demo && !customers)
    return forbidden("This server takes no writes: it was started without --tokens.");
  return unknown(
      customers ? "Writing needs Authorization: Bearer TOKEN, with a token of this server or a "
                  "signed one of the shop, or an invitation."
                : "Writing needs Authorization: Bearer TOKEN, with a token of this server.");
}

Refusal Desk::refuse(const boost::asio::ip::address& client, Refusal refusal) {
  auto wait = limits_.refusal(client, system_ms());
  if (wait) return too_often("Too many requests come from this address.", *wait);
  return refusal;
}

std::optional<Refusal> Desk::knock(const boost::asio::ip::address& client) {
  auto wait = limits_.write(client, system_ms());
  if (wait) return too_often("Too many writes come from this address.", *wait);
  return {};
}

std::optional<Refusal> Desk::count(const Writer& writer, const Rights& rights,
                                   const std::string& product) {
  if (rights.counts == Counts::nothing) return {};
  auto refused = writer.counted ? std::nullopt : knock(writer.client);
  if (refused) return refused;
  auto now = system_ms();
  auto wait = writer.customer ? limits_.customer(writer.customer->hash, now) : std::nullopt;
  if (wait) return too_often("This customer writes too often.", *wait);
  if (rights.counts == Counts::posts) wait = limits_.post(writer.client, product, now);
  if (wait) return too_often("This product has too many new comments.", *wait);
  return {};
}

Admission Desk::admit(std::shared_ptr<const Writer> writer, Deed deed, std::string product) {
  const auto& rights = rights_of(deed);
  auto refused = refuses(*writer, rights, product);
  auto named = product;
  if (deed == Deed::post || deed == Deed::read_written) product = present(std::move(product));
  if (!refused && product != named) refused = refuses(*writer, rights, product);
  if (refused) return refuse(writer->client, std::move(*refused));
  if (!writer->is_trusted()) refused = count(*writer, rights, product);
  if (refused) return std::move(*refused);
  return Permit(std::move(writer), deed, std::move(product), std::move(named));
}

std::string Desk::present(std::string product) const {
  auto to = comments_.successor(product);
  return to ? std::move(*to) : product;
}

bool Desk::would_admit(const Writer& writer, Deed deed, std::string_view product) const {
  return !refuses(writer, rights_of(deed), product);
}

}  // namespace quire::desk
