// Who does a deed. A door makes a writer once, from the proofs that it was given, and never asks
// again what the writer may do: the desk says that.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/tokens.h"
#include "identity/customers.h"
#include "quire/customer.h"

namespace quire::desk {

// Why a deed is not done, before its content is read. A door renders it.
struct Refusal {
  enum class Kind {
    malformed,  // the proofs contradict each other
    unknown,    // nobody knows who this is
    forbidden,  // who this is may not do it
    too_often,  // not before `wait` seconds have passed
  };
  Kind kind;
  std::string message;  // what is wrong and what to do, as sentences
  std::uint64_t wait = 0;
};

// The product to which one has moved, or itself.
using Present = std::function<std::string(const std::string&)>;

// A customer of the shop.
struct Customer {
  // To write one comment of the product at hand.
  struct Invitation {
    identity::TicketId ticket = {};
    std::uint64_t ends_ms = 0;  // since 1970
  };

  CustomerHash hash = {};
  std::string name = {};  // of the author, as the shop says; empty: the customer types it
  bool verified = false;  // every product was bought
  std::vector<std::string> purchases = {};    // products that were
  std::optional<Invitation> invitation = {};  // absent: a signed token names the customer

  // `present`: the product that another one is now.
  bool has_bought(std::string_view product, const Present& present) const;
};

struct Writer {
  enum class Kind {
    stranger,   // shows no proof, or one that nobody knows
    holder,     // of a token of this server
    customer,   // whom a signed token, an invitation or a form of this server names
    operator_,  // at the command line, over the store
    program,    // that embeds the library
  };

  Kind kind = Kind::stranger;
  std::shared_ptr<const Token> token = {};        // of a holder
  std::shared_ptr<const Customer> customer = {};  // of a customer
  std::string label = "-";                        // in logs; no token has a colon in its name
  boost::asio::ip::address client = {};           // unspecified: of no network
  std::string request = "-";                      // the id of the request

  bool showed_proof = false;          // of any kind, also one that nobody knows
  bool local = false;                 // the request comes from this machine, by all that it says
  bool counted = false;               // the network was counted before the writer was known
  std::optional<Refusal> fault = {};  // why the proof is none

  // An operator and a program may do everything that a token may.
  bool is_trusted() const { return kind == Kind::operator_ || kind == Kind::program; }
  // Whether a token, or trust, gives this right.
  bool may(Scope scope) const { return is_trusted() || (token && token->may(scope)); }
  // The prefix of the products that the writer may change; empty: all.
  std::string_view products() const { return token ? std::string_view(token->product) : ""; }
  // The hash tells who wrote in the audit log alone.
  std::string audit_name() const;

  static Writer of_holder(std::shared_ptr<const Tokens> tokens, const Token& token);
  static Writer of_customer(Customer customer);
  // Both are named as the user of this process.
  static Writer operator_here();
  static Writer program();
};

}  // namespace quire::desk
