// The customers of a shop, as they prove who they are: by a signed token, an invitation, or the
// sealed field of a form.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "desk/writer.h"
#include "identity/customers.h"
#include "identity/signed_token.h"
#include "shop/shop_file.h"

namespace quire::desk {

// Thread-safe.
class Customers {
 public:
  // `shop`: null: there is none; must outlive this. `key`: absent: the store knows no customers.
  Customers(const shop::ShopFile* shop, const std::optional<identity::CustomerKey>& key);

  // The present shop; null: there is none.
  std::shared_ptr<const shop::Shop> shop() const { return shop_ ? shop_->shop() : nullptr; }
  // Who may write, besides those who have a token of this server.
  shop::Writers writers() const;
  const std::optional<identity::CustomerKey>& key() const { return key_; }

  // Whom the signed token names. The writer has a fault where the token is not valid.
  Writer identify(std::string_view token) const;
  // What an invitation says. A refusal: it is none, or has ended.
  std::variant<identity::Invitation, Refusal> invitation(std::string_view ticket) const;
  bool is_for_several(std::string_view ticket) const;  // products
  // Whom it names, who writes of this product. The writer has a fault where it is for others.
  // `present`: a product as its successor, or as it is; an invitation for one is for both.
  Writer invited(std::string_view ticket, std::string_view product, const Present& present) const;

  // The sealed field of a form for this writer, made now. There must be a key.
  std::string sealed_form(const Writer& writer, const std::string& product,
                          const Present& present) const;
  // What a sealed field says. Absent: it is no field of this server.
  std::optional<identity::SealedForm> open_form(std::string_view text) const;
  // Whom the form is for.
  static Writer of_form(const identity::SealedForm& form);
  // The ticket of an invitation. There must be a key.
  std::string seal(const identity::Invitation& invitation) const {
    return tickets_->seal(invitation);
  }

 private:
  const shop::ShopFile* const shop_;
  const std::optional<identity::CustomerKey> key_;
  std::optional<identity::Tickets> tickets_;  // where there is a key
  std::optional<identity::FormSeals> forms_;  // the same
};

}  // namespace quire::desk
