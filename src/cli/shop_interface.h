// Asks the interface of those who run the shop: that of a server, or in this process over a store.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/backend.h"
#include "cli/commands.h"
#include "dynamodb/address.h"
#include "quire/result.h"

namespace quire::cli {

// Where the comments are.
struct Moderated {
  std::string server;             // a URL; empty: the store is opened
  std::string token_file;         // has the token that the server takes
  std::string audit_log;          // of what is done over the store; empty: it is not recorded
  bool customers = false;         // whether the key of customers is needed
  std::string customer_key = {};  // its file; empty: it is kept with the comments
  std::string public_url = {};    // of links
  bool makes_store = false;       // where there is none yet
};

// What POST requests do.
enum class Deed { decide, invite, export_kept, erase };

// A server that is asked, as --server and --token-file name it.
struct ServerAddress {
  dynamodb::Origin origin;
  std::string path;   // below which it answers
  std::string token;  // empty: none is sent

  // The error of a server that does not answer as Quire does: "does not answer: timed out".
  Error fault(const std::string& why) const;
};
// `token_file` empty: no token is needed. invalid_parameter: the URL is none, or the file has no
// token.
Result<ServerAddress> server_address(const std::string& url, const std::string& token_file);

// The detail of a problem. Absent: the body is no problem of Quire.
std::optional<std::string> detail_of(std::string_view body);

// Adds --server and --token-file. `scope`: of the token; empty: none is needed, and none is taken.
void add_server(CLI::App& command, Moderated& moderated, const std::string& scope);

// Adds --audit-log. `text`: what is appended to it: "decisions are".
void add_audit_log(CLI::App& command, Moderated& moderated, const std::string& text);

class ShopInterface {
 public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  // `access`: to the store.
  static Result<std::unique_ptr<ShopInterface>> open(const Common& common,
                                                     const Moderated& moderated, Access access);
  virtual ~ShopInterface() = default;

  // The answer to GET /v1/moderation/comments. An error: that of the interface.
  virtual Result<std::string> queue(Parameters parameters) = 0;
  // The answer to POST /v1/moderation/decisions, /v1/invitations, /v1/customers/export or erase,
  // with this body. An error: that of the interface.
  virtual Result<std::string> ask(Deed deed, std::string body) = 0;
  // The answer to PUT /v1/comments/{id}/reply with this body, or without one to DELETE.
  virtual Result<std::string> reply(std::string id, std::optional<std::string> body) = 0;
  // The answers to GET, PUT with this body, and DELETE of /v1/products/{product}.
  virtual Result<std::string> product(std::string product) = 0;
  virtual Result<std::string> put_product(std::string product, std::string body) = 0;
  virtual Result<std::string> remove_product(std::string product) = 0;
};

}  // namespace quire::cli
