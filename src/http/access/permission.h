// Judges a write by its header, before the body is read: the sender's rights, the rate limits, and
// the type of the body.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>

#include "http/access/customers.h"
#include "http/access/tokens.h"
#include "http/access/write_limits.h"
#include "http/message.h"

namespace quire::http {

struct PermissionOptions {
  // The present tokens; null: the server has none. Thread-safe.
  std::function<std::shared_ptr<const Tokens>()> tokens;
  const shop::ShopFile* shop = nullptr;                    // as the application has it
  std::optional<identity::CustomerKey> customer_key = {};  // absent: there are no customers
  bool demo = false;                                       // anyone on this machine may post
  double posts_per_minute_client = 60;
  double posts_per_minute_product = 600;
};

// Thread-safe. Each check gives the response to a request that is refused. Otherwise it sets
// `token` or `customer` of the request, unless the post is anonymous.
class Permission {
 public:
  explicit Permission(PermissionOptions options)
      : options_(std::move(options)),
        customers_(options_.shop, options_.customer_key),
        limits_(options_.posts_per_minute_client, options_.posts_per_minute_product) {}

  WriteLimits& limits() { return limits_; }
  const Customers& customers() const { return customers_; }
  const std::optional<identity::CustomerKey>& customer_key() const { return options_.customer_key; }
  // The present tokens; null: the server has none.
  std::shared_ptr<const Tokens> tokens() const {
    return options_.tokens ? options_.tokens() : nullptr;
  }

  // Each refuses a query first, then a caller without the right, and a wrong body last; a DELETE
  // has none. Here anyone whom the shop lets write may post; who has a token needs the scope
  // `post`. The product, and how many comments it takes, come after the body.
  std::optional<Response> check_post(Request& request);
  // The scope `edit` or `moderate`, or a customer while the shop lets customers write.
  std::optional<Response> check_patch(Request& request);
  // The scope `edit`, or any customer.
  std::optional<Response> check_delete(Request& request);
  // This scope, of a token.
  template <Scope scope>
  std::optional<Response> check_scope(Request& request) {
    return check_with(request, scope);
  }
  // The scope `products`, and a product that the token may write to.
  std::optional<Response> check_facts(Request& request);
  // The scope `import`, and to update `edit`, too. The body is JSON Lines, of any length, perhaps
  // in gzip.
  std::optional<Response> check_import(Request& request);
  // A customer with a signed token, who votes.
  std::optional<Response> check_vote(Request& request);

  // The right to vote alone, of a form that has the token in its body.
  std::optional<Response> check_voter(Request& request, std::string_view token);
  // Whether the caller is a customer with a signed token, who reads what is theirs.
  std::optional<Response> check_customer(Request& request);
  // Whether the caller may moderate, and so read what is not published.
  std::optional<Response> check_moderator(Request& request);
  // Checks a report, which anybody may send.
  std::optional<Response> check_report(Request& request);
  // Checks the form for comments. Its handler judges the writer.
  std::optional<Response> check_review(Request& request);
  // Checks a form of moderators. Its handler judges the cookie.
  std::optional<Response> check_form(Request& request);
  // Prepares a public read, which tells moderators more: sets `token` if theirs is sent, and
  // refuses nothing.
  std::optional<Response> note_moderator(Request& request);

 private:
  // Who may do something besides those whose token has the scope.
  enum class Others {
    none,
    customers,  // with a signed token
    writers,    // the same, while the shop lets customers write
    posters,    // the same, or with an invitation, or anyone
  };

  std::optional<Response> permit(Request& request, std::initializer_list<Scope> scopes,
                                 Others others = Others::none);
  std::optional<Response> forbid(Request& request, std::initializer_list<Scope> scopes,
                                 Others others, std::uint64_t now_ms) const;
  std::optional<Response> counted(const Request& request, std::optional<Response> refused);
  std::optional<Response> forbid_customer(Request& request, Others others) const;
  bool may_be_anonymous() const { return customers_.writers() == shop::Writers::anyone; }
  // The product of the request is one that the token may write to.
  static std::optional<Response> check_prefix(const Request& request);
  std::optional<Response> check_with(Request& request, Scope scope);

  PermissionOptions options_;
  Customers customers_;
  WriteLimits limits_;
};

}  // namespace quire::http
