#include "cli/asking/shop_interface.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>

#include "base/text.h"
#include "base/try.h"
#include "cli/asking/asked_server.h"
#include "cli/asking/operators_desk.h"
#include "http/api/customers_api.h"
#include "http/api/list_api.h"
#include "http/api/moderation_api.h"
#include "http/api/shop_api.h"
#include "http/parameters.h"
#include "http/site.h"
#include "loop/loop.h"

namespace quire::cli {
namespace {

namespace json = boost::json;
using desk::Deed;

constexpr std::chrono::seconds patience{30};

bool is_json(std::string_view body) {
  boost::system::error_code wrong;
  json::parse(body, wrong);
  return !wrong;
}

Result<std::string> answer(unsigned status, std::string body) {
  if (status == 200 || status == 201 || status == 204) return body;
  auto code = status == 400 || status == 422 ? ErrorCode::invalid_parameter
              : status == 403                ? ErrorCode::forbidden
              : status == 500                ? ErrorCode::damaged
                                             : ErrorCode::unavailable;
  return Error{code, detail_of(body).value_or(fmt::format("The answer has status {}.", status))};
}

// As of the answer of a server, so that a command ends with the same status beside both.
Error as_answered(Error error) {
  switch (error.code) {
    case ErrorCode::invalid_parameter:
    case ErrorCode::invalid_comment:
      error.code = ErrorCode::invalid_parameter;
      return error;
    case ErrorCode::damaged:
      return error;
    default:
      error.code = ErrorCode::unavailable;
      return error;
  }
}

Error has_moved() {
  return {ErrorCode::unavailable,
          "This product has moved to another one, which has its comments. Ask for that one."};
}

class OverStore : public ShopInterface {
 public:
  OverStore(std::unique_ptr<StoreDesk> store, std::string public_url)
      : store_(std::move(store)), desk_(store_->desk()), public_url_(std::move(public_url)) {}

  Result<std::string> queue(const QueueQuestion& question) override {
    auto page = wait(desk_.queue(permit(Deed::read_queue), question));
    if (!page) return as_answered(page.error());
    return http::queue_json(*page, question.words);
  }

  Result<std::string> decide(const Verdicts& verdicts) override {
    std::vector<Result<desk::Decision>> decisions;
    for (const auto& text : verdicts.ids) {
      auto id = http::parse_id(text);
      if (id)
        decisions.emplace_back(desk::Decision{*id, verdicts.patch});
      else
        decisions.emplace_back(id.error());
    }
    auto decided = wait(desk_.decide(permit(Deed::decide), std::move(decisions)));
    if (!decided) return as_answered(decided.error());
    std::string out = "{\"decisions\":[";
    for (std::size_t i = 0; i < decided->made.size(); ++i)
      out.append(i > 0 ? "," : "")
          .append(http::decided_json(verdicts.ids[i], decided->made[i], ""));
    return out + "]}";
  }

  Result<std::string> invite(const std::vector<desk::Wish>& wishes) override {
    auto permit = this->permit(Deed::invite);
    std::string out = "{\"invitations\":[";
    for (const auto& wish : wishes) {
      auto invited = desk_.invite(permit, wish);
      if (!invited) return as_answered(invited.error());
      out.append(out.back() == '}' ? "," : "")
          .append(http::invitation_json(wish, *invited, public_url_));
    }
    return out + "]}";
  }

  Result<std::string> export_kept(const std::string& customer) override {
    auto kept = wait(desk_.kept_of(permit(Deed::export_customer), customer));
    if (!kept) return as_answered(kept.error());
    return http::kept_json(*kept);
  }

  Result<std::string> erase(const std::string& customer, bool keep_ratings) override {
    auto [erased, failed] = wait(desk_.erase(permit(Deed::erase_customer), customer, keep_ratings));
    if (failed) return as_answered(*failed);
    return http::receipt_json(erased);
  }

  Result<std::string> reply(const std::string& text, std::optional<Reply> reply) override {
    auto id = http::parse_id(text);
    if (!id) return as_answered(id.error());
    bool removes = !reply;
    auto edited = wait(desk_.reply(permit(Deed::reply), *id, std::move(reply), {}));
    if (!edited) return as_answered(edited.error());
    return removes ? std::string() : http::reply_json(*edited);
  }

  Result<std::string> product(const std::string& product) override {
    auto facts = wait(store_->app().comments().facts_of(product));
    if (!facts) return as_answered(facts.error());
    if (!*facts && store_->app().comments().successor(product)) return has_moved();
    if (!*facts) return as_answered(http::no_facts());
    return encode_facts_row({product, std::move(**facts)});
  }
  Result<std::string> put_product(const std::string& product, ProductFacts facts) override {
    auto put = wait(desk_.put_facts(permit(Deed::tell, product), facts, {}));
    if (!put) return as_answered(put.error());
    return encode_facts_row({product, std::move(facts)});
  }
  Result<std::string> remove_product(const std::string& product) override {
    auto removed = wait(desk_.remove_facts(permit(Deed::tell, product), {}));
    if (!removed) return as_answered(removed.error());
    return std::string();
  }
  Result<std::string> move_product(const std::string& product, const std::string& to) override {
    auto moved = wait(desk_.move(permit(Deed::move, product), to));
    if (!moved) return as_answered(moved.error());
    if (!moved->refused.empty()) return Error{ErrorCode::unavailable, moved->refused};
    return http::moved_json(to, *moved);
  }

 private:
  desk::Permit permit(Deed deed, const std::string& product = {}) {
    return store_->permit(deed, product);
  }

  const std::unique_ptr<StoreDesk> store_;
  desk::Desk& desk_;
  const std::string public_url_;
};

// The words of the interface in which a server is asked.
json::object json_of(const desk::Wish& wish) {
  json::object out{{"customer", wish.customer}, {"days", wish.days}};
  if (wish.products.size() == 1)
    out["product"] = wish.products.front();
  else
    out["products"] = json::array(wish.products.begin(), wish.products.end());
  if (!wish.name.empty()) out["name"] = wish.name;
  return out;
}

std::string query_of(const QueueQuestion& question) {
  auto query = fmt::format("status={}&limit={}", queue_name(question.kind), question.limit);
  if (!question.product.empty()) query += "&product=" + percent_encode(question.product);
  if (question.sought) query += "&q=" + percent_encode(question.words);
  if (question.after) query += "&after=" + question.after->text();
  if (question.before) query += "&before=" + question.before->text();
  return query;
}

class OfServer : public ShopInterface {
 public:
  explicit OfServer(std::unique_ptr<AskedServer> server) : server_(std::move(server)) {}

  Result<std::string> queue(const QueueQuestion& question) override {
    return ask({.method = "GET", .path = "/v1/moderation/comments", .query = query_of(question)});
  }

  Result<std::string> decide(const Verdicts& verdicts) override {
    json::array decisions;
    for (const auto& id : verdicts.ids) {
      json::object decision{{"id", id}};
      const auto& patch = verdicts.patch;
      if (patch.status) decision["status"] = status_name(*patch.status);
      if (patch.reason) decision["reason"] = *patch.reason;
      if (patch.note) decision["note"] = *patch.note;
      decisions.push_back(std::move(decision));
    }
    return post("/v1/moderation/decisions", {{"decisions", std::move(decisions)}});
  }

  Result<std::string> invite(const std::vector<desk::Wish>& wishes) override {
    json::array invitations;
    for (const auto& wish : wishes) invitations.push_back(json_of(wish));
    return post("/v1/invitations", {{"invitations", std::move(invitations)}});
  }

  Result<std::string> export_kept(const std::string& customer) override {
    return post("/v1/customers/export", {{"customer", customer}});
  }

  Result<std::string> erase(const std::string& customer, bool keep_ratings) override {
    json::object asked{{"customer", customer}};
    if (keep_ratings) asked["keep_ratings"] = true;
    return post("/v1/customers/erase", std::move(asked));
  }

  Result<std::string> reply(const std::string& id, std::optional<Reply> reply) override {
    auto path = "/v1/comments/" + percent_encode(id) + "/reply";
    if (!reply) return ask({.method = "DELETE", .path = path}, true);
    auto body = json::serialize(json::object{{"author", reply->author}, {"text", reply->text}});
    return ask({.method = "PUT", .path = path, .body = std::move(body)}, true);
  }

  Result<std::string> product(const std::string& product) override {
    return ask({.method = "GET", .path = path_of(product)}, true);
  }
  Result<std::string> put_product(const std::string& product, ProductFacts facts) override {
    return ask({.method = "PUT", .path = path_of(product), .body = encode_facts(facts)}, true);
  }
  Result<std::string> remove_product(const std::string& product) override {
    return ask({.method = "DELETE", .path = path_of(product)}, true);
  }
  Result<std::string> move_product(const std::string& product, const std::string& to) override {
    return post(path_of(product) + "/move", {{"to", to}});
  }

 private:
  Result<std::string> post(std::string path, json::object body) {
    return ask({.path = std::move(path), .body = json::serialize(body)});
  }

  static std::string path_of(const std::string& product) {
    return "/v1/products/" + percent_encode(product);
  }

  // `may_miss`: what is asked for may not be there.
  Result<std::string> ask(HttpRequest request, bool may_miss = false) {
    if (!request.body.empty()) request.headers.emplace_back("content-type", "application/json");
    TRY(auto response, server_->ask(std::move(request), patience));
    auto status = response.status;
    if (status == 308) return has_moved();
    bool done = status == 200 || status == 201;
    bool of_quire = status == 204 || (done && is_json(response.body)) || detail_of(response.body);
    if (!of_quire)
      return server_->fault(fmt::format("answers with status {}, and not as Quire does", status));
    if (status == 404 && !may_miss) return server_->fault("has no interface for that");
    return answer(status, std::move(response.body));
  }

  const std::unique_ptr<AskedServer> server_;
};

}  // namespace

void add_server(CLI::App& command, Moderated& moderated, const std::string& scope) {
  auto* server = command
                     .add_option("--server", moderated.server,
                                 "ask the server that runs at this URL, instead of opening the "
                                 "store")
                     ->envname("QUIRE_SERVER")
                     ->option_text("URL");
  if (scope.empty()) return;
  auto* token =
      command
          .add_option("--token-file", moderated.token_file,
                      "file with the token, of scope " + scope + ", that the server takes")
          ->envname("QUIRE_TOKEN_FILE")
          ->option_text("FILE");
  server->needs(token);
}

void add_audit_log(CLI::App& command, Moderated& moderated, const std::string& text) {
  command
      .add_option("--audit-log", moderated.audit_log,
                  "file to which " + text + " appended; a server has its own")
      ->envname("QUIRE_AUDIT_LOG")
      ->option_text("FILE");
}

Result<std::unique_ptr<ShopInterface>> ShopInterface::open(const std::string& store,
                                                           const std::string& pages,
                                                           const Moderated& moderated,
                                                           Access access) {
  if (!moderated.server.empty()) {
    TRY(auto server, AskedServer::at(moderated.server, moderated.token_file));
    return std::unique_ptr<ShopInterface>(new OfServer(std::move(server)));
  }
  TRY(auto desk, open_desk(OperatorsDesk{.store = store,
                                         .pages = pages,
                                         .access = access,
                                         .audit_log = moderated.audit_log,
                                         .customers = moderated.customers,
                                         .customer_key = moderated.customer_key,
                                         .makes_store = moderated.makes_store}));
  return std::unique_ptr<ShopInterface>(new OverStore(std::move(desk), moderated.public_url));
}

}  // namespace quire::cli
