#include "http/application/application.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/backend.h"
#include "base/text.h"
#include "base/web_address.h"
#include "http/accept.h"
#include "http/application/routes.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/query.h"

namespace quire::http {
namespace {

// The address without the slash at its end, if a route has that.
std::optional<std::string> without_last_slash(const Request& request) {
  auto path = request.target.substr(0, request.target.find('?'));
  auto segments = request.segments;
  if (!path.starts_with('/') || !path.ends_with('/') || segments.size() < 2) return {};
  segments.pop_back();
  auto fits = [&](const Route& route) { return match(route.pattern, segments).has_value(); };
  if (std::none_of(routes().begin(), routes().end(), fits)) return {};
  auto address = with_encoded_characters(request.target);
  address.erase(std::min(address.find('?'), address.size()) - 1, 1);
  return address;
}

// Takes the path of the public URL off the request's segments. Whether the request is below it.
bool take_path(Request& request) {
  auto path = request.path;
  auto& segments = request.segments;
  std::size_t taken = 0;
  for (; !path.empty(); ++taken) {
    auto name = path.substr(1, path.find('/', 1) - 1);
    if (taken == segments.size() || segments[taken] != name) return false;
    path.remove_prefix(1 + name.size());
  }
  segments.erase(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(taken));
  return true;
}

desk::DeskOptions heard_by(desk::DeskOptions options, Metrics& metrics) {
  options.decided = [&metrics](CommentStatus status) { metrics.decided(status); };
  return options;
}

ImportKeys import_keys(const std::optional<identity::CustomerKey>& key,
                       Importer::SameKey same_key) {
  Importer::HashOf hash_of;
  if (key) hash_of = [key = *key](std::string_view customer) { return key.hash(customer); };
  return {std::move(hash_of), std::move(same_key)};
}

}  // namespace

Application::Application(Comments& comments, Metrics& metrics, ApplicationOptions options)
    : comments_(comments),
      operations_apart_(options.operations_apart),
      site_(std::move(options.site)),
      html_(options.desk.demo, options.desk.shop, std::string(site_.path()), comments.moderates()),
      cross_origin_(options.desk.shop),
      desk_(comments, heard_by(options.desk, metrics)),
      door_(desk_, comments.derived_key("moderation")),
      handlers_{.comments_api = CommentsApi(comments, metrics, desk_),
                .moderation_api = ModerationApi(desk_),
                .list_api = ListApi(desk_),
                .replies_api = RepliesApi(desk_),
                .votes_api = VotesApi(door_),
                .customers_api = CustomersApi(desk_, site_),
                .changes_api = ChangesApi(desk_),
                .import_api = ImportApi(comments, desk_,
                                        import_keys(desk_.customers().key(), options.same_key)),
                .products_api = ProductsApi(comments, desk_),
                .statistics_api = StatisticsApi(comments),
                .facets_api = FacetsApi(comments),
                .web_pages = WebPages(comments, metrics, site_, html_),
                .moderation_pages = ModerationPages(comments, door_, site_, html_),
                .form_pages = FormPages(comments, door_, cross_origin_, site_, html_),
                .report_pages = ReportPages(comments, door_, cross_origin_, site_, html_),
                .feeds = Feeds(comments, desk_, metrics, site_, html_),
                .google_feed = GoogleFeed(comments, html_),
                .operations = Operations(comments, metrics, std::move(options.webhooks))} {
  if (options.cache > 0) pages_.emplace(comments, metrics, options.desk.shop, options.cache);
}

// The JSON interface, which has no language, does not pay for one.
void Application::choose_ui(Request& request) const {
  auto place = request.target;
  if (place.starts_with(site_.path())) place.remove_prefix(site_.path().size());
  if (place.starts_with("/v1/")) return;
  request.ui = ui_of(*html_.face(), request.target, request.joined_lines(Field::accept_language));
}

std::optional<RoutedResponse> Application::check_header(Request& request) {
  auto routed = check(request);
  if (routed) add_browser_headers(request, *routed);
  return routed;
}

Awaitable<RoutedResponse> Application::answer(Request& request) {
  auto routed = co_await make(request);
  add_browser_headers(request, routed);
  co_return routed;
}

// Outside of the page cache, because another origin gets other headers.
void Application::add_browser_headers(const Request& request, RoutedResponse& routed) const {
  if (routed.route < routes().size())
    cross_origin_.add(request, routes()[routed.route].open, routed.response);
}

std::optional<RoutedResponse> Application::check(Request& request) {
  choose_ui(request);
  if (pages_) {
    if (auto kept = pages_->find(request)) return kept;
  }
  auto refused = find_route(request);
  if (!refused)
    if (auto moved = find_successor(request))
      return RoutedResponse{std::move(*moved), request.route};
  if (!refused) {
    const Route& route = routes()[request.route];
    request.max_body = route.takes_body() ? route.max_body : 0;
    request.streams = route.streams;
    // A body that is too long is refused for that, and counts against no limit of writes.
    bool too_long = !route.streams && request.announced > limits::body_bytes;
    if (!too_long) refused = door_.check(request, route.entrance);
  }
  if (!refused) return {};
  show_problem(request, *refused);
  add_caching(request, *refused);
  return RoutedResponse{std::move(*refused), request.route};
}

Awaitable<RoutedResponse> Application::make(Request& request) {
  const Route& route = routes()[request.route];
  if (route.ignores) {
    bool other = co_await leave_out_unknown(request);
    auto kept = other && pages_ ? pages_->find(request) : std::nullopt;
    if (kept) co_return std::move(*kept);
    std::erase_if(request.parameters, [](const auto& each) { return each.first == "ui"; });
  }
  auto making = begin(request);
  if (making && making->seat.waits()) {
    auto made = co_await pages_->wait(request, *making);
    if (made) co_return RoutedResponse{std::move(*made), request.route};
  }
  Response response = co_await render(request);
  if (making) pages_->end(request, std::move(*making), response);
  co_return RoutedResponse{std::move(response), request.route};
}

// Whether parameters were left out, which the route ignores. Where the store fails, the handler
// says why.
Awaitable<bool> Application::leave_out_unknown(Request& request) const {
  const Route& route = routes()[request.route];
  bool of_product = route.about == About::product;
  try {
    co_return co_await ignore_unknown(comments_, request, route.parameters, of_product);
  } catch (const std::exception&) {
    co_return false;
  }
}

// Absent: the response is not to be kept.
std::optional<KeptPages::Making> Application::begin(const Request& request) {
  auto about = routes()[request.route].about;
  if (about == About::other || request.page_key.empty()) return {};
  return pages_->begin(request, about == About::product ? request.captures[0] : "");
}

Awaitable<Response> Application::render(const Request& request) {
  Response response = co_await dispatch(request);
  if (routes()[request.route].html && !request.ui.by_address) response.by_language = true;
  show_problem(request, response);
  add_caching(request, response);
  co_await encode(request, response);
  co_return response;
}

// Sets `route` and `captures` of the request. Gives the response if no route has this address, or
// none with this method.
std::optional<Response> Application::find_route(Request& request) const {
  Verb method = request.method == Verb::head ? Verb::get : request.method;
  request.route = routes().size();
  if (request.needs_host && request.headers->count(Field::host) != 1)
    return problem("invalid-parameter", "A request has one Host header.");
  request.authority = request.header(Field::host);
  if (!request.authority.empty() && !is_authority(request.authority))
    return problem("invalid-parameter", "A Host header has a host, and perhaps a port.");
  if (auto parsed = parse_target(request); !parsed) return problem(parsed.error());
  name_filters(request);
  request.path = site_.path();
  bool below = take_path(request);
  if (below && !request.path.empty() && request.segments.empty()) {
    auto query = with_encoded_characters(request.target);
    query.erase(0, std::min(query.find('?'), query.size()));
    return redirect(308, std::string(request.path) + "/" + query);
  }
  std::string allow, open;
  auto add = [](std::string& list, const Route& route) {
    if (!list.empty()) list += ", ";
    list += route.method == Verb::get
                ? "GET, HEAD"
                : std::string_view(boost::beast::http::to_string(route.method));
  };
  const auto& all = routes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Route& route = all[i];
    if (route.operations ? operations_apart_ : !below) continue;
    auto captures = match(route.pattern, request.segments);
    if (!captures) continue;
    if (route.method == method) {
      request.route = i;
      request.captures = std::move(*captures);
      return {};
    }
    add(allow, route);
    if (route.open.scripts) add(open, route);
  }
  if (auto preflight = cross_origin_.preflight(request, open)) return preflight;
  if (allow.empty()) {
    auto address = below ? without_last_slash(request) : std::nullopt;
    if (address) return redirect(308, *address);
    return problem("not-found",
                   fmt::format("Check its spelling. The list of products is at {0}/, the "
                               "description of the interface for programs at {0}/openapi.json.",
                               request.path));
  }
  auto response = problem("method-not-allowed", "This address takes " + allow + ".");
  response.add("Allow", allow);
  return response;
}

// Where the same is of the product to which the one of the address has moved. Behind the page
// cache: what it keeps is of a generation of the product, which a move ends.
std::optional<Response> Application::find_successor(const Request& request) const {
  const Route& route = routes()[request.route];
  auto at = route.pattern.find("/products/{product}");
  if (route.method != Verb::get || at == std::string_view::npos) return {};
  auto to = comments_.successor(request.captures[0]);
  if (!to) return {};
  auto segments = request.segments;
  segments[at == 0 ? 1 : 2] = *to;
  std::string address(request.path);
  for (const auto& segment : segments) address += "/" + percent_encode(segment);
  auto query = with_encoded_characters(request.target);
  auto response = redirect(308, address + query.erase(0, std::min(query.find('?'), query.size())));
  response.add("Cache-Control", "no-cache");
  return response;
}

Awaitable<Response> Application::dispatch(const Request& request) {
  const Route& route = routes()[request.route];
  auto log = [&request](const std::exception& failure) {
    spdlog::error("{} {}: {} (request {})",
                  std::string_view(boost::beast::http::to_string(request.method)),
                  without_secrets(request.target), failure.what(), request.id);
    return fmt::format("It was logged under request {}.", request.id);
  };
  try {
    co_return co_await route.handler(handlers_, request);
  } catch (const Unavailable& failure) {
    co_return problem("backend-unavailable",
                      "The store cannot answer now. Try again in a moment. " + log(failure));
  } catch (const std::exception& failure) {
    co_return problem("internal", "Something here is broken. " + log(failure));
  }
}

// Makes a web page of a web page's problem. Where nothing is at an address outside of the JSON
// interface, a client that prefers web pages gets one, too.
void Application::show_problem(const Request& request, Response& response) const {
  if (response.type != "application/problem+json") return;
  bool page = request.route < routes().size() && routes()[request.route].html;
  bool json = !request.segments.empty() && request.segments.front() == "v1";
  bool nothing =
      response.status == 404 && !json && prefers_html(request.joined_lines(Field::accept));
  if (!page && !nothing) return put_below(site_.path(), response);
  auto look = html_.look(request.ui);
  HelpLink way;
  const auto& at = request.segments;
  if (response.status != 404 && at.size() >= 2 && at.front() == "products")
    way = {look.texts()["see_all_comments"], look.links(at[1]).product()};
  response = html_.error(look, response, std::string(request.id), way);
}

}  // namespace quire::http
