// The places where credentials are looked for. Files and endpoints are maps, and the clocks stand
// still.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <map>

#include "dynamodb/credentials/provider.h"
#include "loop/loop.h"
#include "quire/ulid.h"

namespace quire::dynamodb {

using Sentences = std::vector<std::string>;

constexpr std::uint64_t minute = 60'000;

inline std::string profile(const std::string& heading, const std::string& key) {
  return "[" + heading + "]\naws_access_key_id = " + key + "\naws_secret_access_key = secret\n";
}

class Sources : public testing::Test {
 protected:
  // The access key that is found, or "none".
  std::string find(const std::string& named = {}) {
    Provider provider(sources(), named, "eu-west-1");
    return get(provider);
  }
  std::string get(Provider& provider, const std::string& refused = {}) {
    return key_of(wait(provider.get(refused)));
  }
  // The access keys that as many concurrent callers get. Each names the key that it was refused
  // with, or nothing.
  Sentences get_all(Provider& provider, const Sentences& refused) {
    std::vector<Awaitable<Result<Credentials>>> works;
    for (const auto& key : refused) works.push_back(provider.get(key));
    Sentences keys;
    for (const auto& found : wait(all(std::move(works)))) keys.push_back(key_of(found));
    return keys;
  }

  // The endpoint gives these credentials, which expire in this many minutes.
  void gives(const std::string& url, const std::string& key, std::uint64_t minutes) {
    endpoints_[url] = R"({"AccessKeyId":")" + key +
                      R"(","SecretAccessKey":"secret","Token":"token","Expiration":")" +
                      time_text(now_ms_ + minutes * minute) + R"("})";
  }

  // The security token service gives these credentials.
  void assumes(const std::string& url, const std::string& key, std::uint64_t minutes) {
    endpoints_[url] = "<Credentials><AccessKeyId>" + key +
                      "</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token"
                      "</SessionToken><Expiration>" +
                      time_text(now_ms_ + minutes * minute) + "</Expiration></Credentials>";
  }

  Provider::Sources sources() {
    return {[this](const char* name) { return environment_[name]; },
            [this](const std::string& path) -> std::optional<std::string> {
              if (!files_.contains(path)) return {};
              return files_[path];
            },
            [this](HttpOrigin origin, HttpRequest request, Deadline) {
              return exchange(std::move(origin), std::move(request));
            },
            [this] { return now_ms_; },
            [this](std::vector<std::string> words) { return run(std::move(words)); },
            [this] { return Deadline(std::chrono::milliseconds(now_ms_ + set_back_ms_)); }};
  }

  static std::string key_of(const Result<Credentials>& found) {
    return found ? found->access_key : "none";
  }

  // Why there are no credentials.
  std::string refusal(const std::string& named = {}) {
    Provider provider(sources(), named, "eu-west-1");
    auto found = wait(provider.get());
    return found ? "there are: " + found->access_key : found.error().message;
  }

  Awaitable<Result<std::string>> run(std::vector<std::string> words) {
    ran_ = std::move(words);
    co_return output_;
  }

  Awaitable<Result<HttpResponse>> exchange(HttpOrigin origin, HttpRequest request) {
    std::string url = (origin.tls ? "https://" : "") + origin.authority() + request.path;
    if (!request.query.empty()) url += "?" + request.query;
    asked_.push_back(request.method + " " + url);
    headers_.clear();
    body_ = request.body;
    for (auto& [name, value] : request.headers) headers_[name] = value;
    // Others get their turn.
    for (int i = 0; i < 5; ++i)
      co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                                 boost::asio::use_awaitable);
    if (!endpoints_.contains(url)) co_return Error{ErrorCode::unavailable, "cannot reach " + url};
    co_return HttpResponse{status_, endpoints_[url]};
  }

  std::map<std::string, std::string> environment_{{"HOME", "/home/shop"}};
  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> endpoints_;
  Sentences asked_;
  std::map<std::string, std::string> headers_;  // of what was asked last
  std::string body_;                            // likewise
  unsigned status_ = 200;
  std::vector<std::string> ran_;  // the last process
  Result<std::string> output_ = std::string();
  std::uint64_t now_ms_ = parse_time("2024-11-20T12:00:00Z").value();
  std::uint64_t set_back_ms_ = 0;  // by so much the wall clock was set back
};

}  // namespace quire::dynamodb
