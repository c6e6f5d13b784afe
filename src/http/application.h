// What the server answers: the route table, and a handler for each route.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "http/answering.h"
#include "http/audit_log.h"
#include "http/html.h"
#include "http/message.h"
#include "http/metrics.h"
#include "http/operations.h"
#include "http/tokens.h"
#include "http/write_limits.h"
#include "service/comments.h"

namespace quire::http {

struct ApplicationOptions {
  // The tokens of now; empty: nobody has one. Thread-safe.
  std::function<std::shared_ptr<const Tokens>()> tokens = {};
  bool demo = false;            // anyone may post
  std::string public_url = {};  // "https://shop.example"; empty: as the request says, if it names
                                // this machine
  boost::asio::ip::tcp::endpoint listen = {};  // the server's; port 0: one was picked
  bool operations_apart = false;               // another server answers operators
  AuditLog* audit = nullptr;                   // of changes; must outlive the application
  double posts_per_minute_client = 60;
  double posts_per_minute_product = 600;
};

// Thread-safe. What it is given must outlive it.
class Application : public Answering {
 public:
  Application(Comments& comments, Metrics& metrics, ApplicationOptions options);

  std::optional<Answer> check_header(Request& request) override;
  Awaitable<Answer> answer(Request& request) override;
  // The answer to bytes that are no HTTP request.
  static Response refuse(unsigned status, std::string_view slug, std::string_view detail);

  // The patterns of the routes, and last the name under which unknown paths count.
  static std::vector<std::string> route_names();

  // /healthz, /readyz and /metrics, for a server of their own. Lives as long as this does.
  Operations& operations() { return operations_; }

  // From now on /readyz says no, so that a balancer sends nobody here.
  void stop() override { operations_.stop(); }

 private:
  using Captures = std::vector<std::string>;  // the parts of the path in braces
  using Handler = Awaitable<Response> (Application::*)(const Request&, const Captures&);
  // The answer to a request whose header is reason enough to refuse it.
  using HeaderCheck = std::optional<Response> (Application::*)(Request&, const Captures&);
  struct Route;
  static const std::vector<Route>& routes();

  std::optional<Response> find_route(Request& request);
  Awaitable<Response> dispatch(const Request& request);

  Awaitable<Response> list_comments(const Request&, const Captures&);
  Awaitable<Response> post_comment(const Request&, const Captures&);
  Awaitable<Response> get_comment(const Request&, const Captures&);
  Awaitable<Response> comment_place(const Request&, const Captures&);
  Awaitable<Response> patch_comment(const Request&, const Captures&);
  Awaitable<Response> delete_comment(const Request&, const Captures&);

  Awaitable<Response> statistics(const Request&, const Captures&);
  Awaitable<Response> leaderboard(const Request&, const Captures&);

  Awaitable<Response> products_page(const Request&, const Captures&);
  Awaitable<Response> comments_page(const Request&, const Captures&);
  Awaitable<Response> comment_page(const Request&, const Captures&);
  Awaitable<Response> feed(const Request&, const Captures&);
  Awaitable<Response> sitemap(const Request&, const Captures&);
  Awaitable<Response> problem_page(const Request&, const Captures&);
  Awaitable<Response> static_file(const Request&, const Captures&);

  Awaitable<Response> healthz(const Request&, const Captures&);
  Awaitable<Response> readyz(const Request&, const Captures&);
  Awaitable<Response> metrics_text(const Request&, const Captures&);
  Awaitable<Response> openapi(const Request&, const Captures&);

  // Before the body is read: who writes, how often, and what the body is said to be.
  std::optional<Response> check_post(Request&, const Captures&);
  std::optional<Response> check_patch(Request&, const Captures&);
  std::optional<Response> check_delete(Request&, const Captures&);

  // The answer to a request that may not write, or not now. Else `token` of the request is set, but
  // for anonymous posts.
  std::optional<Response> permit(Request& request, Scope scope);
  std::optional<Response> forbid(Request& request, Scope scope, std::uint64_t now_ms) const;
  // Whether changes can be recorded; where they cannot, nothing is changed.
  Status audit_ready() const;
  // Records a change of a document. `before` is empty where the comment was damaged, `after` where
  // it was removed.
  void audit(const Request& request, const Ulid& id, std::string_view before,
             std::string_view after) const;
  using SitemapParts = std::shared_ptr<const std::vector<std::string>>;
  Awaitable<Result<SitemapParts>> sitemap_parts();
  void count(const FoundPage& page);
  // Scheme and host under which this service is seen, for addresses that must be whole. Empty where
  // only the request's word for it is there, and names another machine: anyone can make up a host.
  std::string origin(const Request& request) const;

  Comments& comments_;
  Metrics& metrics_;
  ApplicationOptions options_;
  WriteLimits limits_;
  Operations operations_;
  Html html_;
  std::mutex sitemap_mutex_;
  SitemapParts sitemap_parts_;  // guarded by sitemap_mutex_, as is the next
  std::uint64_t sitemap_until_ms_ = 0;
};

}  // namespace quire::http
