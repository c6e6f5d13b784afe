// The way of a request: route table → permission → handler → renderer.
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "desk/desk.h"
#include "http/access/cross_origin.h"
#include "http/access/door.h"
#include "http/api/changes_api.h"
#include "http/api/comments_api.h"
#include "http/api/customers_api.h"
#include "http/api/import_api.h"
#include "http/api/list_api.h"
#include "http/api/moderation_api.h"
#include "http/api/shop_api.h"
#include "http/api/statistics_api.h"
#include "http/api/votes_api.h"
#include "http/application/kept_pages.h"
#include "http/feeds/feeds.h"
#include "http/feeds/google_feed.h"
#include "http/form/form_pages.h"
#include "http/form/report_pages.h"
#include "http/html/html.h"
#include "http/html/moderation_pages.h"
#include "http/html/web_pages.h"
#include "http/message.h"
#include "http/operations/operations.h"
#include "http/site.h"

namespace quire::http {

struct ApplicationOptions {
  desk::DeskOptions desk = {};
  Site site = {};
  bool operations_apart = false;         // another server answers operators
  webhook::DeliveriesNow webhooks = {};  // for metrics; null: none is told
  std::size_t cache = 0;                 // bytes of responses to keep; 0: none
  Importer::SameKey same_key = {};  // of imports; null: the key of their customers is not asked
};

// All handlers.
struct Handlers {
  CommentsApi comments_api;
  ModerationApi moderation_api;
  ListApi list_api;
  RepliesApi replies_api;
  VotesApi votes_api;
  CustomersApi customers_api;
  ChangesApi changes_api;
  ImportApi import_api;
  ProductsApi products_api;
  StatisticsApi statistics_api;
  FacetsApi facets_api;
  WebPages web_pages;
  ModerationPages moderation_pages;
  FormPages form_pages;
  ReportPages report_pages;
  Feeds feeds;
  GoogleFeed google_feed;
  Operations operations;

  // The one of this class.
  template <class Handler>
  Handler& of() {
    return std::get<Handler&>(
        std::tie(comments_api, moderation_api, list_api, replies_api, votes_api, customers_api,
                 changes_api, import_api, products_api, statistics_api, facets_api, web_pages,
                 moderation_pages, form_pages, report_pages, feeds, google_feed, operations));
  }
};

// Thread-safe.
class Application : public RequestHandler {
 public:
  // `comments` and `metrics` must outlive this.
  Application(Comments& comments, Metrics& metrics, ApplicationOptions options);

  std::optional<RoutedResponse> check_header(Request& request) override;
  Awaitable<RoutedResponse> answer(Request& request) override;

  // /healthz, /readyz and /metrics, for a server of their own. Lives as long as this does.
  Operations& operations() { return handlers_.operations; }

  // How often clients may write, which may be set while requests are answered.
  desk::Limits& limits() { return desk_.limits(); }

  std::string_view path() const override { return site_.path(); }

  // From now on /readyz answers 503, so that a load balancer sends no more requests, and no reader
  // of changes waits.
  void stop() override {
    handlers_.operations.stop();
    desk_.end_waits();
  }

 private:
  void choose_ui(Request& request) const;
  std::optional<Response> find_route(Request& request) const;
  std::optional<Response> find_successor(const Request& request) const;
  std::optional<RoutedResponse> check(Request& request);
  Awaitable<RoutedResponse> make(Request& request);
  void add_browser_headers(const Request& request, RoutedResponse& routed) const;
  Awaitable<bool> leave_out_unknown(Request& request) const;
  std::optional<KeptPages::Making> begin(const Request& request);
  Awaitable<Response> render(const Request& request);
  Awaitable<Response> dispatch(const Request& request);
  void show_problem(const Request& request, Response& response) const;

  const Comments& comments_;
  const bool operations_apart_;
  const Site site_;
  const Html html_;
  const CrossOrigin cross_origin_;
  desk::Desk desk_;
  const Door door_;
  Handlers handlers_;
  std::optional<KeptPages> pages_;
};

}  // namespace quire::http
