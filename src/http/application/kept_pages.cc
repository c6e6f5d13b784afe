#include "http/application/kept_pages.h"

#include <fmt/format.h>

#include <chrono>

#include "base/hash.h"
#include "http/accept.h"
#include "http/encoding/compress.h"

namespace quire::http {

namespace {

std::string_view cache_control(Caching caching) {
  switch (caching) {
    case Caching::none:
      return "no-store";
    case Caching::revalidate:
      return "public, max-age=0, must-revalidate";
    case Caching::forever:
      return "public, max-age=31536000, immutable";
  }
  return {};
}

// All that Quire sends is text, which compresses well. A page that is left out is of usual size.
Coding coding_of(const Request& request, const Response& response) {
  if (response.mapped) return Coding::identity;
  auto size = response.bytes().size();
  bool fits = response.body_left_out || (size >= min_compressed && size <= max_compressed);
  return fits ? request.best_coding() : Coding::identity;
}

std::string tag_of(const Response& response) {
  return tag_in(response.coding, response.tag.empty()
                                     ? fmt::format("\"{:016x}\"", long_hash(response.bytes()))
                                     : response.tag);
}

constexpr std::chrono::seconds longest_wait{5};
constexpr std::size_t max_accept_language = 256;  // bytes; browsers send fewer than 100

// The fields of a request that choose its response. Absent: the response is not to be kept, or the
// request has to be judged first.
struct Choice {
  std::string_view host, accept_encoding;
  std::string_view accept_language = {};  // where it chooses
};
std::optional<Choice> choice(const Request& request) {
  if (!request.reads() || !request.target.starts_with('/')) return {};
  Choice out;
  int hosts = 0, accepts = 0, languages = 0;
  bool by_language = may_choose_languages(request.target, request.ui.of_comments);
  for (const auto& field : *request.headers) {
    std::string_view value(field.value().data(), field.value().size());
    switch (field.name()) {
      case Field::host:
        out.host = value;
        ++hosts;
        break;
      case Field::accept_encoding:
        out.accept_encoding = value;
        ++accepts;
        break;
      case Field::accept_language:
        out.accept_language = by_language ? value : "";
        ++languages;
        break;
      case Field::authorization:
      case Field::content_length:
      case Field::transfer_encoding:
        return {};
      default:
        break;
    }
  }
  if (hosts > 1 || (hosts == 0 && request.needs_host) || accepts > 1) return {};
  if (by_language && (languages > 1 || out.accept_language.size() > max_accept_language)) return {};
  return out;
}

// Targets have no spaces, and headers no line ends. Some pages repeat the host.
void write_key(std::string& out, const Request& request, const Choice& choice) {
  out.assign(request.kept_target.empty() ? request.target : request.kept_target);
  out.append(" ").append(choice.host);
  out += static_cast<char>('0' + static_cast<int>(best_coding(choice.accept_encoding)));
  out += request.ui.by_address ? '+' : '-';  // its links have the language
  out += request.ui.language;
  if (!choice.accept_language.empty()) out.append("\n").append(choice.accept_language);
}

}  // namespace

void add_caching(const Request& request, Response& response) {
  bool read = response.status == 200 && request.reads();
  if (read) {
    response.coding = coding_of(request, response);
    response.add("Vary",
                 response.by_language ? "Accept-Encoding, Accept-Language" : "Accept-Encoding");
  }
  if (!read || response.caching == Caching::none) {
    bool own = response.own || request.permit || response.status == 202;  // for one reader alone
    response.add("Cache-Control", own ? "private, no-store" : "no-store");
    return;
  }
  response.tag = tag_of(response);
  response.add("ETag", response.tag);
  response.add("Cache-Control", cache_control(response.caching));
  if (request.has(response.tag)) {
    response.status = 304;
    response.clear_body();
  }
}

Awaitable<void> encode(const Request& request, Response& response) {
  if (response.coding == Coding::identity || response.status != 200 || response.body_left_out)
    co_return;
  if (request.method == Verb::head) {
    response.clear_body();
    response.body_left_out = true;
  } else if (response.shared.data() && !response.owner) {
    response.shared = co_await compressed_once(response.coding, response.shared);
  } else {
    auto plain = response.shared.data() ? response.shared : std::string_view(response.body);
    auto bytes = co_await compressed(response.coding, plain);
    response.shared = {};
    std::swap(response.body, bytes);
    request.give_spare(std::move(bytes));
  }
}

// A response as it is kept. Immutable, but for `present_at`.
struct KeptPages::Page {
  std::size_t route;
  std::string_view type;
  Coding coding;
  std::string tag, headers, body;
  std::string product;
  Generation generation;
  std::uint64_t shop;
  // The newest commit at which the generation was known to be the present one.
  mutable std::atomic<std::uint64_t> present_at = generation.commit;

  std::size_t bytes() const {
    return sizeof(Page) + tag.size() + headers.size() + body.size() + product.size();
  }
};

std::optional<RoutedResponse> KeptPages::find(Request& request) {
  auto chosen = choice(request);
  if (!chosen) return {};
  thread_local std::string key;
  write_key(key, request, *chosen);
  auto page = std::static_pointer_cast<const Page>(cache_.find(key));
  if (!page || !is_present(*page)) {
    request.page_key = key;
    return {};
  }
  metrics_.cache_hits->Increment();
  auto route = page->route;
  return RoutedResponse{response_of(request, std::move(page)), route};
}

bool KeptPages::is_present(const Page& page) const {
  if (page.shop != shop_generation()) return false;
  auto newest = comments_.newest_commit();
  if (newest && *newest <= page.present_at) return true;
  auto present = comments_.generation(page.product);
  if (!present || !present->same(page.generation)) return false;
  page.present_at = present->commit;
  return true;
}

Response KeptPages::response_of(const Request& request, std::shared_ptr<const Page> page) {
  Response out{.type = page->type, .shared_headers = page->headers, .coding = page->coding};
  if (request.has(page->tag)) {
    out.status = 304;
  } else {
    out.shared = page->body;
  }
  out.owner = std::move(page);
  return out;
}

std::optional<KeptPages::Making> KeptPages::begin(const Request& request,
                                                  std::string_view product) {
  if (request.method != Verb::get) return {};
  auto generation = comments_.generation(product);
  if (!generation) return {};
  auto key = request.page_key;
  auto shop = shop_generation();
  for (auto number : {generation->product, generation->store, shop})
    key.append(" ").append(std::to_string(number));
  // A handler may leave out the body that the client has: then nobody waits for it.
  bool alone = request.headers->count(Field::if_none_match) > 0;
  return Making{std::string(product), *generation, shop,
                alone ? page_cache::Flights::Seat() : flights_.enter(std::move(key))};
}

Awaitable<std::optional<Response>> KeptPages::wait(const Request& request, Making& making) {
  auto made = co_await making.seat.wait(std::chrono::steady_clock::now() + longest_wait);
  if (!made) co_return std::nullopt;
  metrics_.cache_hits->Increment();
  co_return response_of(request, std::static_pointer_cast<const Page>(std::move(made)));
}

void KeptPages::end(const Request& request, Making making, const Response& response) {
  if (response.status != 200 || response.body_left_out || response.shared.data()) return;
  // The key lacks the languages where the target did not look as if it chose any.
  if (response.comments_by_language &&
      !may_choose_languages(request.target, request.ui.of_comments))
    return;
  bool keepable = response.caching != Caching::none;
  if (keepable) metrics_.cache_misses->Increment();
  auto bytes = sizeof(Page) + response.headers.size() + response.body.size();
  bool kept = keepable && cache_.admits(request.page_key, bytes);
  if (!kept && !making.seat.awaited()) return;
  auto page = std::make_shared<const Page>(
      request.route, response.type, response.coding, response.tag, response.headers, response.body,
      std::move(making.product), making.generation, making.shop);
  making.seat.land(page);
  if (!kept) return;
  auto evicted = cache_.keep(request.page_key, page, page->bytes());
  metrics_.cache_evictions->Increment(static_cast<double>(evicted));
  metrics_.cache_bytes->Set(static_cast<double>(cache_.bytes()));
}

}  // namespace quire::http
