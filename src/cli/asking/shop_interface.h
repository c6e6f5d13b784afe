// Asks the interface of those who run the shop: that of a server, or in this process over a store.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/backend.h"
#include "desk/desk.h"
#include "product/facts.h"
#include "quire/result.h"
#include "store/queue.h"

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

// A decision on several comments. What is no id of one gets an answer of its own.
struct Verdicts {
  std::span<const std::string> ids;  // at most desk::Desk::max_decisions
  Patch patch;                       // of status, reason and note alone
};

// Adds --server and --token-file. `scope`: of the token; empty: none is needed, and none is taken.
void add_server(CLI::App& command, Moderated& moderated, const std::string& scope);

// Adds --audit-log. `text`: what is appended to it: "decisions are".
void add_audit_log(CLI::App& command, Moderated& moderated, const std::string& text);

class ShopInterface {
 public:
  // `access`: to the store. `pages`: see StoreDeskOptions.
  static Result<std::unique_ptr<ShopInterface>> open(const std::string& store,
                                                     const std::string& pages,
                                                     const Moderated& moderated, Access access);
  virtual ~ShopInterface() = default;

  // Each gives what the interface of a server answers, as JSON, or its error.
  virtual Result<std::string> queue(const QueueQuestion& question) = 0;
  virtual Result<std::string> decide(const Verdicts& verdicts) = 0;
  // At most http::max_invitations.
  virtual Result<std::string> invite(const std::vector<desk::Wish>& wishes) = 0;
  virtual Result<std::string> export_kept(const std::string& customer) = 0;
  virtual Result<std::string> erase(const std::string& customer, bool keep_ratings) = 0;
  // Absent: the reply is removed.
  virtual Result<std::string> reply(const std::string& id, std::optional<Reply> reply) = 0;
  virtual Result<std::string> product(const std::string& product) = 0;
  virtual Result<std::string> put_product(const std::string& product, ProductFacts facts) = 0;
  virtual Result<std::string> remove_product(const std::string& product) = 0;
  // Once; the answer says whether some comments are left.
  virtual Result<std::string> move_product(const std::string& product, const std::string& to) = 0;
};

}  // namespace quire::cli
