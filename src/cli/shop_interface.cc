#include "cli/shop_interface.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>
#include <chrono>

#include "app/app.h"
#include "app/followed_table.h"
#include "base/files.h"
#include "base/text.h"
#include "dynamodb/connections.h"
#include "http/access/tokens.h"
#include "http/api/customers_api.h"
#include "http/api/moderation_api.h"
#include "http/api/shop_api.h"
#include "loop/loop.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds patience{30};
constexpr std::size_t max_token_bytes = 4096;

bool is_json(std::string_view body) {
  boost::system::error_code wrong;
  json::parse(body, wrong);
  return !wrong;
}

Result<std::string> answer(unsigned status, std::string body) {
  if (status == 200 || status == 201 || status == 204) return body;
  auto code = status == 400 || status == 422 ? ErrorCode::invalid_parameter
              : status == 500                ? ErrorCode::damaged
                                             : ErrorCode::unavailable;
  return Error{code, detail_of(body).value_or(fmt::format("The answer has status {}.", status))};
}

// As the audit log names it: no token has a colon in its name.
std::string user() {
  const auto* entry = getpwuid(geteuid());
  return "user:" + (entry ? std::string(entry->pw_name) : std::to_string(geteuid()));
}

class OverStore : public ShopInterface {
 public:
  OverStore(std::unique_ptr<App> app, std::unique_ptr<http::AuditLog> audit,
            const std::optional<identity::CustomerKey>& key, std::string public_url)
      : app_(std::move(app)),
        audit_(std::move(audit)),
        site_{std::move(public_url), {}},
        metrics_({}),
        api_(app_->comments(), metrics_, audit_.get(), nullptr),
        replies_(app_->comments(), metrics_, audit_.get()),
        customers_(app_->comments(), site_, audit_.get(), key),
        products_(app_->comments(), audit_.get()) {}

  Result<std::string> queue(Parameters parameters) override {
    auto request = own_request();
    request.parameters = std::move(parameters);
    return answer(wait(api_.queue(request)));
  }

  Result<std::string> ask(Deed deed, std::string body) override {
    auto request = own_request();
    request.body = body;
    switch (deed) {
      case Deed::decide:
        return answer(wait(api_.decide(request)));
      case Deed::invite:
        return answer(wait(customers_.invite(request)));
      case Deed::export_kept:
        return answer(wait(customers_.export_kept(request)));
      case Deed::erase:
        return answer(wait(customers_.erase(request)));
    }
    return answer({.status = 404});
  }

  Result<std::string> reply(std::string id, std::optional<std::string> body) override {
    auto request = own_request();
    request.captures = {std::move(id)};
    if (body) request.body = *body;
    return answer(wait(body ? replies_.put(request) : replies_.remove(request)));
  }

  Result<std::string> product(std::string product) override {
    return answer(wait(products_.get(request_of(std::move(product)))));
  }
  Result<std::string> put_product(std::string product, std::string body) override {
    auto request = request_of(std::move(product));
    request.body = std::move(body);
    return answer(wait(products_.put(request)));
  }
  Result<std::string> remove_product(std::string product) override {
    return answer(wait(products_.remove(request_of(std::move(product)))));
  }

 private:
  // Whoever may open the store may decide on all products.
  http::Request own_request() const {
    http::Request request;
    request.headers = &no_headers_;
    request.id = "-";
    request.token = std::make_shared<http::Token>(http::Token{.scopes = {http::Scope::admin}});
    request.token_label = user_;
    return request;
  }

  http::Request request_of(std::string product) const {
    auto request = own_request();
    request.captures.push_back(std::move(product));
    return request;
  }

  static Result<std::string> answer(http::Response response) {
    return cli::answer(response.status, std::move(response.body));
  }

  std::unique_ptr<App> app_;
  std::unique_ptr<http::AuditLog> audit_;
  const http::Site site_;
  http::Metrics metrics_;  // nobody reads them
  http::ModerationApi api_;
  http::RepliesApi replies_;
  http::CustomersApi customers_;
  http::ProductsApi products_;
  const std::string user_ = user();
  const boost::beast::http::fields no_headers_;
};

class OfServer : public ShopInterface {
 public:
  explicit OfServer(ServerAddress server)
      : server_(std::move(server)), connections_(context_, server_.origin) {}

  Result<std::string> queue(Parameters parameters) override {
    std::string query;
    for (const auto& [name, value] : parameters)
      query += (query.empty() ? "" : "&") + name + "=" + percent_encode(value);
    return ask({.method = "GET", .path = "/v1/moderation/comments", .query = std::move(query)});
  }

  Result<std::string> ask(Deed deed, std::string body) override {
    constexpr const char* paths[] = {"/v1/moderation/decisions", "/v1/invitations",
                                     "/v1/customers/export", "/v1/customers/erase"};
    return ask({.path = paths[static_cast<std::size_t>(deed)], .body = std::move(body)});
  }

  Result<std::string> reply(std::string id, std::optional<std::string> body) override {
    auto path = "/v1/comments/" + percent_encode(id) + "/reply";
    return ask({.method = body ? "PUT" : "DELETE", .path = path, .body = body.value_or("")}, true);
  }

  Result<std::string> product(std::string product) override {
    return ask({.method = "GET", .path = path_of(product)}, true);
  }
  Result<std::string> put_product(std::string product, std::string body) override {
    return ask({.method = "PUT", .path = path_of(product), .body = std::move(body)}, true);
  }
  Result<std::string> remove_product(std::string product) override {
    return ask({.method = "DELETE", .path = path_of(product)}, true);
  }

 private:
  static std::string path_of(const std::string& product) {
    return "/v1/products/" + percent_encode(product);
  }

  // `may_miss`: what is asked for may not be there.
  Result<std::string> ask(dynamodb::Message message, bool may_miss = false) {
    message.path.insert(0, server_.path);
    message.headers = {{"host", server_.origin.authority()}};
    if (!server_.token.empty())
      message.headers.emplace_back("authorization", "Bearer " + server_.token);
    if (!message.body.empty()) message.headers.emplace_back("content-type", "application/json");
    std::optional<dynamodb::Exchanged> exchanged;
    auto deadline = std::chrono::steady_clock::now() + patience;
    boost::asio::co_spawn(
        context_,
        [&]() -> Awaitable<void> {
          exchanged = co_await connections_.exchange(std::move(message), deadline);
        },
        boost::asio::detached);
    context_.restart();
    context_.run();
    if (const auto* failure = std::get_if<dynamodb::Failure>(&*exchanged))
      return server_.fault("does not answer: " + failure->message);
    auto& reply = std::get<dynamodb::Reply>(*exchanged);
    bool done = reply.status == 200 || reply.status == 201;
    bool of_quire = reply.status == 204 || (done && is_json(reply.body)) || detail_of(reply.body);
    if (!of_quire)
      return server_.fault(
          fmt::format("answers with status {}, and not as Quire does", reply.status));
    if (reply.status == 404 && !may_miss) return server_.fault("has no interface for that");
    return answer(reply.status, std::move(reply.body));
  }

  const ServerAddress server_;
  boost::asio::io_context context_{1};
  dynamodb::Connections connections_;
};

Result<std::string> token_in(const std::string& file) {
  auto text = read_whole("the token's file", file, max_token_bytes);
  if (!text) return text;
  auto end = text->find_last_not_of(" \r\n") + 1;
  text->resize(end);
  bool plain = std::all_of(text->begin(), text->end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (plain && end > 0) return text;
  return Error{ErrorCode::invalid_parameter,
               "The file " + file +
                   " is no token. Write the line into it that quire token new prints, and nothing "
                   "else."};
}

}  // namespace

// The detail of a problem. Absent: the body is no problem of Quire.
std::optional<std::string> detail_of(std::string_view body) {
  boost::system::error_code wrong;
  auto value = json::parse(body, wrong);
  const auto* detail =
      !wrong && value.is_object() ? value.get_object().if_contains("detail") : nullptr;
  if (!detail || !detail->is_string()) return {};
  return std::string(detail->get_string());
}

Error ServerAddress::fault(const std::string& why) const {
  return {ErrorCode::unavailable,
          fmt::format("The server {} {}. Look whether it runs, and whether --server is its "
                      "address.",
                      origin.authority(), why)};
}

Result<ServerAddress> server_address(const std::string& url, const std::string& token_file) {
  const http::Site site{url, {}};
  auto host = url.substr(0, url.size() - site.path().size());
  auto origin = dynamodb::parse_origin(host);
  if (!origin || !http::check_public_url(url).empty())
    return Error{ErrorCode::invalid_parameter,
                 "--server takes the server's public URL: http:// or https://, a host, and a port "
                 "and a path if need be, such as https://shop.example/reviews."};
  auto token = token_file.empty() ? Result<std::string>(std::string()) : token_in(token_file);
  if (!token) return token.error();
  return ServerAddress{std::move(*origin), std::string(site.path()), std::move(*token)};
}

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

Result<std::unique_ptr<ShopInterface>> ShopInterface::open(const Common& common,
                                                           const Moderated& moderated,
                                                           Access access) {
  if (!moderated.server.empty()) {
    auto server = server_address(moderated.server, moderated.token_file);
    if (!server) return server.error();
    return std::unique_ptr<ShopInterface>(new OfServer(std::move(*server)));
  }
  auto there = moderated.makes_store ? Status(Done{}) : is_there(common.store);
  if (!there) return there.error();
  std::unique_ptr<http::AuditLog> audit;
  if (!moderated.audit_log.empty()) {
    auto opened = http::AuditLog::open(moderated.audit_log);
    if (!opened) return opened.error();
    audit = std::move(*opened);
  }
  auto app = App::open({.store = common.store,
                        .pages = is_adopted(common.store) ? common.pages : "none",
                        .access = access,
                        .cursors = false});
  if (!app) return app.error();
  std::optional<identity::CustomerKey> key;
  if (moderated.customers) {
    auto read = (*app)->customer_key(moderated.customer_key, Access::read);
    if (!read) return read.error();
    key = *read;
  }
  return std::unique_ptr<ShopInterface>(
      new OverStore(std::move(*app), std::move(audit), key, moderated.public_url));
}

}  // namespace quire::cli
