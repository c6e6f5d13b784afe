// An application over a store without comments; requests come as from a connection.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "base/clock.h"
#include "http/application/empty_store.h"
#include "http/application/routes.h"
#include "http/support.h"
#include "listing/lists/maker.h"
#include "loop/loop.h"
#include "temporary_directory.h"

namespace quire::http {

// Gives the server a token like this one, and returns its secret.
inline std::string token_with(ApplicationOptions& options, desk::Token token) {
  TemporaryDirectory directory;
  auto secret = desk::Tokens::add(directory.path() + "/tokens", std::move(token)).value();
  auto tokens = std::make_shared<const desk::Tokens>(
      desk::Tokens::read(directory.path() + "/tokens").value());
  options.desk.tokens = [tokens] { return tokens; };
  return secret;
}

class ApplicationTest : public testing::Test {
 protected:
  Application& application() {
    if (!application_) {
      auto clock = [this] { return now_; };
      comments_.emplace(store_, lists::listings_of(store_, numbers_, clock), Seal({Seal::Key{}}),
                        clock);
      application_.emplace(*comments_, metrics_, options_);
    }
    return *application_;
  }

  Response ask(Verb method, const std::string& target, Headers headers = {},
               const std::string& body = {}) {
    headers.push_back({"Host", host_});
    return ask_bare(method, target, headers, body);
  }
  Response get(const std::string& target, Headers headers = {}) {
    return ask(Verb::get, target, std::move(headers));
  }
  Response post(const std::string& product, Headers headers = {},
                const std::string& client = "192.0.2.1") {
    headers.push_back({"Content-Type", "application/json"});
    client_ = boost::asio::ip::make_address(client);
    return ask(Verb::post, "/v1/products/" + product + "/comments", std::move(headers),
               R"({"language":"en","rating":5})");
  }

  Response ask_bare(Verb method, const std::string& target, const Headers& headers,
                    const std::string& body = {}, bool needs_host = true) {
    auto sent = fields(headers);
    Request request{.method = method,
                    .target = target,
                    .needs_host = needs_host,
                    .headers = &sent,
                    .body = body,
                    .client = client_,
                    .id = "the-request-id",
                    .segments = {},
                    .parameters = {}};
    auto refused = application().check_header(request);
    RoutedResponse answer = refused ? std::move(*refused) : wait(application().answer(request));
    route_ = route_names().at(answer.route);
    return answer.response;
  }

  static std::string header(const Response& response, const std::string& name) {
    std::string lines = "\r\n" + response.headers;
    auto at = lines.find("\r\n" + name + ": ");
    if (at == lines.npos) return "";
    at += name.size() + 4;
    return lines.substr(at, lines.find("\r\n", at) - at);
  }

  static std::string slug(const Response& response) {
    if (response.type != "application/problem+json") return "";
    return std::string(boost::json::parse(response.body).at("type").as_string().subview(10));
  }

  EmptyStore store_;
  lists::NumbersSource numbers_;
  std::uint64_t now_ = system_ms();
  Metrics metrics_{route_names()};
  ApplicationOptions options_;
  std::string route_;  // of the last answer
  std::string host_ = "localhost:8080";

 private:
  std::optional<Comments> comments_;
  std::optional<Application> application_;
  boost::asio::ip::address client_ = boost::asio::ip::make_address("192.0.2.1");
};

}  // namespace quire::http
