// The customers of a shop, as requests name them: by a signed token, or by an invitation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "identity/customers.h"
#include "identity/signed_token.h"
#include "quire/customer.h"
#include "shop/shop_file.h"

namespace quire::http {

// Who writes.
struct Customer {
  CustomerHash hash = {};
  std::string name = {};  // of the author, as the shop says; empty: the customer types it
  bool verified = false;  // every product was bought
  std::vector<std::string> purchases = {};              // products that were
  std::optional<identity::Invitation> invitation = {};  // absent: a signed token names the customer

  bool has_bought(std::string_view product) const;
};

// Thread-safe.
class Customers {
 public:
  // `shop`: null: there is none; must outlive this. `key`: absent: the store knows no customers.
  Customers(const shop::ShopFile* shop, const std::optional<identity::CustomerKey>& key);

  // The present shop; null: there is none.
  std::shared_ptr<const shop::Shop> shop() const { return shop_ ? shop_->shop() : nullptr; }
  // Who may write, besides those who have a token of this server.
  shop::Writers writers() const;

  // Sets `customer` of the request to whom the signed token names. The response where the token is
  // not valid.
  std::optional<Response> identify(Request& request, std::string_view token) const;
  // The same by an invitation to write of this product.
  std::optional<Response> admit(Request& request, std::string_view ticket,
                                std::string_view product) const;

  // The sealed field of a form for whom the request names, made now. There must be a key.
  std::string sealed_form(const Request& request, const std::string& product) const;
  // What a sealed field says. Absent: it is no field of this server.
  std::optional<identity::SealedForm> open_form(std::string_view text) const;
  // Sets `customer` of the request to whom the form is for.
  static void take_form(Request& request, const identity::SealedForm& form);

 private:
  const shop::ShopFile* const shop_;
  const std::optional<identity::CustomerKey> key_;
  std::optional<identity::Tickets> tickets_;  // where there is a key
  std::optional<identity::FormSeals> forms_;  // the same
};

}  // namespace quire::http
