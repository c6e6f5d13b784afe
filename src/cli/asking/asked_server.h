// The server beside which a command works, as --server and --token-file name it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/http_client.h"
#include "loop/loop.h"
#include "quire/result.h"

namespace quire::cli {

// Not thread-safe.
class AskedServer {
 public:
  // `url`: the server's public URL. `token_file`: empty where no token is sent. Sends nothing yet.
  // invalid_parameter: the URL is none, or the file has no token.
  static Result<std::unique_ptr<AskedServer>> at(const std::string& url,
                                                 const std::string& token_file);

  // Sends the request with the token, and blocks until its response is there. Its path is that
  // below the server's URL: "/v1/import". unavailable: there is no response after `patience`.
  Result<HttpResponse> ask(HttpRequest request, std::chrono::seconds patience);

  // The same of several requests at once, up to HttpClient::max_open. Answers are in their order.
  std::vector<Result<HttpResponse>> ask_all(std::vector<HttpRequest> requests,
                                            std::chrono::seconds patience);

  // The error of a server that does not answer as Quire does: "does not answer: timed out".
  Error fault(const std::string& why) const;

 private:
  AskedServer(HttpOrigin origin, std::string path, std::string token);
  HttpRequest with_token(HttpRequest request) const;
  Result<HttpResponse> answer(Result<HttpResponse> response) const;

  const HttpOrigin origin_;
  const std::string path_;   // below which it answers
  const std::string token_;  // empty: none is sent
  LoopThread loop_;
  HttpClient client_;
};

// The detail of a problem. Absent: the body is no problem of Quire.
std::optional<std::string> detail_of(std::string_view body);

}  // namespace quire::cli
