#include "http/html/web_pages.h"

#include <algorithm>

#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/try.h"
#include "http/accept.h"
#include "http/api/json.h"
#include "http/assets.h"
#include "http/html/parts.h"
#include "http/html/product_list.h"
#include "http/problem.h"
#include "http/query.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire::http {
namespace {

constexpr std::size_t suggested = 6;              // products, where none is found
constexpr std::size_t long_document = 16 * 1024;  // from here on each may end a turn

// Bytes that change with all data on a page of comments, but not with how the page was found. They
// give the page's tag before the page is rendered.
Awaitable<std::string> content_of(const FoundPage& page, const Query& query, AsOf as_of_ms) {
  std::string out;
  append_numbers(out, page, query);
  for (const auto& language : query.languages) out.append(language).append(" ");
  auto add = [&](std::uint64_t number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  for (const auto& row : page.rows) {
    if (row.document.size() > long_document && turn_is_over()) co_await next_turn();
    add(long_hash(row.document));
  }
  if (page.number) {
    add(page.number->whole);
    add(page.number->joins);
  }
  const auto& counts = page.counts.rows();
  out.append(reinterpret_cast<const char*>(counts.data()), counts.size() * sizeof counts[0]);
  if (as_of_ms) add(*as_of_ms / 60'000);  // the page shows minutes
  co_return out;
}

bool is_empty_field(const std::pair<std::string, std::string>& each) {
  bool field = each.first == "q" || each.first.ends_with(".min") || each.first.ends_with(".max");
  return field && each.second.empty();
}

// The request without the parameters that an empty field for words or a bound sends; absent: it has
// none. A page whose script runs does not send them.
std::optional<Request> without_empty_fields(const Request& request) {
  const auto& given = request.parameters;
  if (std::none_of(given.begin(), given.end(), is_empty_field)) return {};
  Request out = request;
  std::erase_if(out.parameters, is_empty_field);
  return out;
}

// Whether links may begin with this text: a path, or a URL of one of these origins.
bool is_base(std::string_view text, const std::vector<std::string>& origins) {
  constexpr std::size_t max_bytes = 1024;
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/%?";
  if (text.size() > max_bytes || text.find_first_not_of(plain) != text.npos) return false;
  for (const auto& origin : origins) {
    if (!text.starts_with(origin)) continue;
    auto rest = text.substr(origin.size());
    if (rest.empty() || rest.front() == '/' || rest.front() == '?') return true;
  }
  return text.starts_with('/') && !text.starts_with("//");
}

// The parameters of an address behind those of a filter.
std::string place(std::string position, bool explain) {
  if (!explain) return position;
  return position + (position.empty() ? "explain=true" : "&explain=true");
}

// The facet of which all values are asked for, which is then no parameter any more. Empty: none is.
std::string take_opened(Request& request) {
  std::string opened;
  for (const auto& [name, value] : request.parameters)
    if (name == "facets" && value != "true" && value != "false") opened = value;
  std::erase_if(request.parameters, [&](const auto& each) {
    return each.first == "facets" && (each.second == opened || opened.empty());
  });
  return opened;
}

// Whether a product's page begins with the visitor's languages: its address asks for nothing.
bool begins_with_own_language(const Request& request, std::string_view opened) {
  return request.ui.of_comments && opened.empty() &&
         std::all_of(request.parameters.begin(), request.parameters.end(),
                     [](const auto& each) { return each.first == "ui"; });
}

Result<ProductQuery> product_query(const Request& request) {
  ProductQuery out{.find = std::string(parameter(request, "find").value_or("")),
                   .after = std::string(parameter(request, "after").value_or("")),
                   .by = {}};
  if (auto by = parameter(request, "by")) {
    out.by = parse_leaders(*by);
    if (!out.by) return invalid("by", "by is five_star or average.");
    if (!out.after.empty())
      return invalid("by", "Leave out by or after: only the order of names has pages by after.");
  }
  if (parameter(request, "after") && !is_product_name(out.after))
    return invalid("after", "after is the name of a product, as next gives it.");
  if (!out.find.empty() && !is_product_name(out.find)) {
    return invalid("find",
                   "find is words of a product's name and brand, or the beginning of its id.");
  }
  return out;
}

// Those of the facets that can be asked for.
std::vector<FacetStatus> ready(std::vector<FacetStatus> facets) {
  std::erase_if(facets, [](const auto& each) { return each.state != FacetStatus::State::ready; });
  return facets;
}

}  // namespace

Awaitable<Response> WebPages::products(const Request& request) {
  if (auto allowed = allow_only(request, list_parameters); !allowed)
    co_return problem(allowed.error());
  auto query = product_query(request);
  if (!query) co_return problem(query.error());
  auto look = html_.look(request.ui);
  const auto& [find, after, by] = *query;
  auto root = site_.root(request);
  auto canonical = [&](const std::string& of) {
    if (root.empty() || !find.empty()) return std::string();
    return root + look.links().products(of).substr(look.path.size());
  };
  if (by && find.empty()) {
    auto board = co_await comments_.leaderboard(*by, "", limits::products_max);
    if (!board) co_return problem(board.error());
    auto name = parameter(request, "by").value_or("");
    co_return html_.leaders(look, *board, *by, canonical("by=" + std::string(name)));
  }
  auto list = co_await list_products(comments_, *query);
  if (!list) co_return problem(list.error());
  bool none = !find.empty() && list->products.empty() && list->next.empty();
  // Too many are found to be sorted, or those that were behind the page before are gone meanwhile.
  if ((by && !list->next.empty()) || (none && !after.empty()))
    co_return redirect(302, look.links().products("find=" + percent_encode(find)));
  auto address = canonical(after.empty() ? std::string() : "after=" + percent_encode(after));
  if (!none) co_return html_.products(look, *list, *query, address);
  auto best = co_await comments_.leaderboard(Leaders::average, "", suggested);
  co_return html_.products(look, *list, *query, address, best ? &*best : nullptr);
}

Awaitable<Response> WebPages::comments(const Request& request) {
  if (!parameter(request, "facets")) co_return co_await list(request, {});
  Request filtered = request;
  auto opened = take_opened(filtered);
  co_return co_await list(filtered, std::move(opened));
}

Awaitable<Response> WebPages::list(const Request& request, std::string opened) {
  auto links = html_.look(request.ui).links(request.captures[0]);
  if (auto cleaned = without_empty_fields(request)) {
    auto query = page_query(*cleaned, request.captures[0]);
    if (!query) co_return problem(query.error());
    co_return redirect(301, links.page(*query, place(position_parameter(*query), query->explain)));
  }
  auto query = page_query(request, request.captures[0]);
  if (!query) co_return problem(query.error());
  auto asked = co_await ask(request, *query, opened);
  if (!asked) co_return problem(asked.error());
  bool explain = query->explain;
  query->explain |= html_.demo();
  auto page = co_await comments_.page(*query, Links::by_number);
  if (!page && page.error().code == ErrorCode::page_out_of_range)
    co_return co_await beyond_the_end(request, std::move(*query), page.error());
  if (!page) co_return co_await filter_problem(comments_, page.error(), page_parameters);
  metrics_.found(*page);
  auto none = co_await no_comments(comments_, *page, query->product);
  asked->unknown = none && none->status == 404 && html_.look(request.ui).invites();
  if (none && !asked->unknown) co_return std::move(*none);
  // Each page has one address, so page=1 leads to the address without a page.
  // With language=auto the target depends on Accept-Language, so there is no permanent redirect.
  if (query->page == 1u && !asked->chosen)
    co_return redirect(301, links.page(*query, place({}, explain)));
  co_return co_await show(request, *asked, *page);
}

Awaitable<Result<WebPages::PageRequest>> WebPages::ask(const Request& request, Query& query,
                                                       std::string_view opened) const {
  bool own = begins_with_own_language(request, opened);
  CO_TRY(auto chosen,
         co_await (own ? choose_own_languages : choose_languages)(comments_, request, query));
  query.counts = true;
  co_return PageRequest{.query = query,
                        .ui = request.ui.language,
                        .opened = opened,
                        .own_language = own && !query.languages.empty(),
                        .chosen = chosen};
}

Awaitable<Response> WebPages::beyond_the_end(const Request& request, Query query,
                                             const Error& error) {
  query.page = query.skip = std::nullopt;
  auto first = co_await comments_.page(query, Links::by_number);
  if (!first) co_return problem(first.error());
  auto none = co_await no_comments(comments_, *first, query.product);
  if (none) co_return std::move(*none);
  auto look = html_.look(request.ui);
  auto count = first->number ? first->number->count : 0;
  HelpLink last{look.texts().with("last_page", {{"NUMBER", look.texts().forms().number(count)}})};
  auto links = look.links(query.product);
  if (count > 0) last.href = links.numbered(query, count);
  auto facts = co_await facts_of(*first->view, query.product);
  last.product = facts && *facts ? (*facts)->name : query.product;
  last.product_href = links.product();
  co_return html_.error(look, problem(error), std::string(request.id), last);
}

Result<Fragment> WebPages::take_fragment(Request& request) const {
  auto look = html_.look(request.ui);
  Fragment out{.links = look.links(request.captures[0], site_.root(request))};
  const auto& shop = look.face->shop();
  out.links.votes = shop && shop->votes;
  if (auto base = parameter(request, "base")) {
    if (!is_base(*base, shop ? shop->embed : std::vector<std::string>()))
      return invalid("base",
                     "base is the path of the page that shows the fragment, such as /p/42, or its "
                     "URL, whose origin is in embed of the shop file.");
    out.links.base = *base;
  }
  if (auto text = parameter(request, "jsonld")) {
    if (*text != "true" && *text != "false") return invalid("jsonld", "jsonld is true or false.");
    out.structured = *text == "true";
  }
  // The shop's page passes on what the links of the fragment gave it, decoded or as it is.
  if (auto passed = parameter(request, "quire")) {
    auto query = form_of(*passed);
    request.parameters.insert(request.parameters.end(), query.begin(), query.end());
  }
  std::erase_if(request.parameters, [](const auto& each) {
    return each.first == "base" || each.first == "jsonld" || each.first == "quire" ||
           is_empty_field(each);
  });
  return out;
}

// Visitors type what they like behind the address of the shop's page, and its links grow old: then
// the page shows the first comments.
Awaitable<Response> WebPages::fragment(const Request& request) {
  auto response = co_await try_fragment(request);
  bool passed = parameter(request, "quire").value_or("") != "";
  if (!passed || (response.status != 400 && response.status != 404)) co_return response;
  Request plain = request;
  std::erase_if(plain.parameters, [](const auto& each) { return each.first == "quire"; });
  co_return co_await try_fragment(plain);
}

Awaitable<Response> WebPages::try_fragment(const Request& sent) {
  Request request = sent;
  auto fragment = take_fragment(request);
  if (!fragment) co_return problem(fragment.error());
  auto opened = take_opened(request);
  auto query = page_query(request, request.captures[0]);
  if (!query) co_return problem(query.error());
  auto asked = co_await ask(request, *query, opened);
  if (!asked) co_return problem(asked.error());
  auto page = co_await comments_.page(*query, Links::by_number);
  if (!page) co_return co_await filter_problem(comments_, page.error(), fragment_parameters);
  metrics_.found(*page);
  auto response = co_await show(request, *asked, *page, &*fragment);
  response.add("X-Robots-Tag", "noindex");  // the page that shows it is to be found
  co_return response;
}

Awaitable<Response> WebPages::show(const Request& request, const PageRequest& asked,
                                   const FoundPage& page, const Fragment* fragment) {
  const auto& query = asked.query;
  AsOf as_of_ms;
  if (!page.counts.exact) {
    auto as_of = co_await comments_.as_of(page);
    if (as_of) as_of_ms = *as_of;  // otherwise the page leaves the time out
  }
  auto told = co_await facts_of(*page.view, query.product);
  if (!told) co_return problem(told.error());
  const auto* facts = *told ? &**told : nullptr;
  auto facets = ready(page.schema->statuses());
  auto root = site_.root(request);
  auto look = html_.look(request.ui);
  Response response = Html::unrendered();
  auto content = co_await content_of(page, query, as_of_ms);
  auto best = co_await picks(asked, page);
  for (auto hash : best.hashes) content += std::to_string(hash) + " ";
  ShownWords words{.searchable = comments_.has_words(*page.view), .found = FoundWords(query.words)};
  auto easier = co_await this->easier(query, page, words.found);
  for (const auto& each : easier) content += std::to_string(each.comments) + " ";
  if (words.searchable) content += "words";
  if (asked.own_language) content += "own";
  if (fragment) content += fragment->links.base + (fragment->structured ? " data" : " fragment");
  if (facts) content += encode_facts(*facts);
  response.tag_by(content + facets_json(facets) + html_.frame(look, root));
  // Not kept if it repeats the host of this request, which caches would show to other clients.
  auto caching = root.empty() || asked.unknown ? Caching::none : Caching::revalidate;
  bool known = caching != Caching::none && request.has(response.tag);  // a 304 follows
  if (request.method != Verb::head && !known) {
    auto comments = co_await shown_comments(page, look.face->shop().get());
    auto tag = std::move(response.tag);
    auto links = fragment ? fragment->links : look.links(query.product);
    links.within = !fragment;
    ShownPage shown{
        query,         page,         comments,     facets, as_of_ms,     std::move(links),
        &look.texts(), &look.zone(), facts,        &best,  asked.opened, asked.own_language,
        &words,        &easier,      asked.unknown};
    response = fragment ? html_.fragment(look, shown, *fragment, root, request.take_spare())
                        : html_.comments(look, shown, root, request.take_spare());
    response.tag = std::move(tag);
  }
  response.caching = caching;
  if (asked.unknown) response.status = 404;
  if (asked.chosen) {
    add_choice(response, request, query);
    response.caching = std::min(caching, Caching::revalidate);
  }
  co_return response;
}

Awaitable<Response> WebPages::comment(const Request& request) {
  auto found = co_await comments_.get(request.captures[0]);
  if (!found) co_return problem(found.error());
  auto comment = decode_document(found->document);
  if (!comment)
    throw std::runtime_error("comment " + request.captures[0] + " in the store is damaged");
  auto facets = co_await comments_.facets();
  if (!facets) co_return problem(facets.error());
  auto told = co_await facts_of(*found->view, comment->product);
  if (!told) co_return problem(told.error());
  const auto* facts = *told ? &**told : nullptr;
  co_return html_.comment(html_.look(request.ui), *comment, facts, ready(std::move(*facets)));
}

Awaitable<Response> WebPages::comment_place(const Request& request) {
  const auto& name = request.captures[0];
  auto look = html_.look(request.ui);
  Query all;
  auto place = co_await comments_.page_of(name, all);
  // Where pages have no numbers, the comment is to be seen alone.
  bool failed = !place && (place.error().code == ErrorCode::unavailable ||
                           place.error().code == ErrorCode::damaged);
  if (failed) co_return redirect(302, look.links().comment(percent_encode(name)));
  if (!place) co_return problem(place.error());
  auto links = look.links(place->product);
  co_return redirect(302, links.numbered(all, place->number) + comment_anchor(place->id));
}

Awaitable<Response> WebPages::demo_picture(const Request& request) {
  auto drawn = html_.demo() ? http::demo_picture(request.captures[0]) : std::nullopt;
  if (!drawn) co_return problem("not-found", "There is no such picture.");
  co_return Response{
      .type = "image/svg+xml", .body = std::move(*drawn), .caching = Caching::revalidate};
}

Awaitable<Response> WebPages::problem_kind(const Request& request) {
  const Problem* kind = find_problem(request.captures[0]);
  if (!kind) co_return problem("not-found", "No problem has this name.");
  co_return html_.explanation(*kind);
}

Awaitable<Response> WebPages::file(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  auto file = html_.file(request.captures[1], request.target);
  if (!file) co_return problem("not-found", "There is no such file.");
  co_return std::move(*file);
}

Awaitable<Response> WebPages::embed_script(const Request&) {
  co_return Response{.type = "text/javascript; charset=utf-8",
                     .shared = asset("embed.js"),
                     .caching = Caching::revalidate,
                     .for_other_origins = true};
}

}  // namespace quire::http
