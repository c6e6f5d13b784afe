// A request as handlers see it, and their response.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/verb.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "desk/permit.h"
#include "loop/awaitable.h"

namespace quire::http {

enum class Coding : std::uint8_t { identity, gzip, zstd };

// As in Content-Encoding; empty for identity.
std::string_view coding_name(Coding coding);

// The coding with the highest quality in an Accept-Encoding; of equal ones zstd, then gzip, then
// identity. Also identity if the client takes none of the three: RFC 9110, 12.4.1, lets a server
// disregard such a wish. A part that is not of the header's form counts as absent.
Coding best_coding(std::string_view accept_encoding);

// A tag for the same content in this coding: "tag-gzip" for "tag". A weak tag stays as it is,
// because it stands for all representations that say the same (RFC 9110, 8.8.1).
std::string tag_in(Coding coding, std::string_view tag);
// The tag of which that was made.
std::string without_coding(std::string_view tag);

using Verb = boost::beast::http::verb;
using Field = boost::beast::http::field;

// The language of a web page.
struct Ui {
  std::string language = {};
  bool by_address = false;   // the address asks for it; else Accept-Language chose it
  bool of_comments = false;  // a product's page begins with comments in the visitor's languages
};

struct Request {
  Verb method{};
  std::string_view target;  // as sent
  bool needs_host = true;   // HTTP/1.1
  const boost::beast::http::fields* headers = nullptr;
  std::string_view body;            // empty unless max_body is above 0
  std::string* spare = nullptr;     // an empty string with capacity, for the response's body
  boost::asio::ip::address client;  // behind trusted proxies the original client
  std::string_view id;

  // The host that the request names: that of the target if the target is a whole URL, else that of
  // the Host header.
  std::string_view authority = {};

  // The path of the public URL, below which all addresses are: "/reviews", or empty.
  std::string_view path = {};

  // From the target, decoded. Segments are those below `path`.
  std::vector<std::string> segments;
  std::vector<std::pair<std::string, std::string>> parameters;

  std::uint64_t announced = 0;  // bytes of the body, as the header tells

  // From the header, by RequestHandler::check_header.
  Ui ui = {};                // of a web page
  std::size_t max_body = 0;  // bytes; 0: the connection drops the body
  bool streams = false;      // the handler is asked before the body is read: see Response::taker
  std::size_t route = 0;     // for metrics
  std::shared_ptr<const desk::Writer> writer = {};  // null: the header names none
  std::string_view writer_label = "-";              // for logs
  std::shared_ptr<const desk::Permit> permit = {};  // null: what is asked for needs none
  std::vector<std::string> captures;  // the path's segments that match `{…}` in the route
  std::string page_key = {};          // of the response in the page cache; empty: not kept
  std::string kept_target = {};       // without parameters that a web page ignores; empty: as sent

  std::string take_spare() const { return spare ? std::exchange(*spare, {}) : std::string(); }
  // Gives a string back that the response's body does not need any more.
  void give_spare(std::string used) const {
    constexpr std::size_t max_spare = 128 * 1024;
    if (!spare || used.capacity() > max_spare || used.capacity() <= spare->capacity()) return;
    used.clear();
    *spare = std::move(used);
  }

  // The value of the first line that has this name.
  std::string_view header(Field field) const {
    auto value = (*headers)[field];
    return {value.data(), value.size()};
  }

  // The lines of a header that is a list, joined by commas (RFC 9110, 5.3).
  std::string joined_lines(Field field) const;
  // Whether a line of that header has this element, in any case.
  bool has_element(Field field, std::string_view element) const;

  // Whether the client says that it has the response with this tag. The comparison is weak (RFC
  // 9110, 13.1.2): only the part in quotes counts. No client has a response without a tag.
  bool has(std::string_view tag) const;
  bool reads() const { return method == Verb::get || method == Verb::head; }

  // The coding in which the client takes a body best.
  Coding best_coding() const;
};

inline constexpr std::string_view plain_text = "text/plain; charset=utf-8";

// Takes the body of a request as it comes, of any length, and answers meanwhile. Its connection
// calls it, from one thread, a function at a time.
class BodyTaker {
 public:
  virtual ~BodyTaker() = default;

  // Takes the next bytes. The connection reads no more before that is done, so a taker sets the
  // pace. False: it takes no more, and the answer is complete.
  virtual Awaitable<bool> take(std::string_view bytes) = 0;
  // No more comes, also where the taker took no more; called once. `whole`: the body is complete.
  // Otherwise it was cut off, and perhaps nobody reads the answer.
  virtual Awaitable<void> end(bool whole) = 0;
  // The next part of the answer's body; empty: there is none now. The connection asks again when it
  // has sent the part before. The taker bounds what nobody has asked for yet.
  virtual std::string said() = 0;
};

// How caches may keep a response.
enum class Caching { none, revalidate, forever };

struct Response {
  unsigned status = 200;
  std::string_view type = "application/json";  // static text
  std::string body;
  // In place of `body`: bytes that several responses share.
  std::string_view shared = {};
  bool mapped = false;  // `shared` is a file, which takes no memory and is sent as it is
  std::string_view shared_headers = {};    // in place of `headers`
  std::shared_ptr<const void> owner = {};  // of both; null: they live as long as the program
  std::string headers;                     // further header lines, each ending in CRLF
  Caching caching = Caching::none;
  std::string tag = {};      // the ETag; empty: a hash of the body, once add_caching() made it
  bool by_language = false;  // the request's Accept-Language chose it
  bool comments_by_language = false;  // and the comments in it: add_choice()
  bool own = false;                   // it is for one reader alone
  bool hides_host = false;     // not even the host of the page is told to the pages it leads to
  bool body_left_out = false;  // the client does not want the body, so its length is not known
  Coding coding = Coding::identity;  // of the body
  // The rest is of one request, and not kept by the page cache.
  std::string outer = {};            // further header lines, each ending in CRLF
  std::string frame_ancestors = {};  // origins whose pages may frame it; empty: none may
  std::string picture_hosts = {};    // " https://HOST" for each from which it may load pictures
  bool for_other_origins = false;    // their pages may load it, as a script or a style
  // Of a request that streams: takes its body, and says the body of this response. Null: the
  // response is complete, and the body of the request is not read.
  std::shared_ptr<BodyTaker> taker = {};

  std::string_view lines() const {
    return shared_headers.data() ? shared_headers : std::string_view(headers);
  }
  std::string_view bytes() const { return shared.data() ? shared : std::string_view(body); }
  void clear_body() {
    body.clear();
    shared = {};
  }

  // Sets a weak tag: a hash of `content`, which is all that the body says but the time.
  void tag_by(std::string_view content);

  // Leaves out line ends in the value, so that no value begins another header.
  void add(std::string_view name, std::string_view value) {
    headers.append(name).append(": ");
    auto begin = headers.size();
    headers.append(value);
    for (char end : {'\r', '\n'}) {
      if (value.find(end) == value.npos) continue;
      auto from = headers.begin() + static_cast<std::ptrdiff_t>(begin);
      headers.erase(std::remove(from, headers.end(), end), headers.end());
    }
    headers.append("\r\n");
  }
};

// A response that leads to this address, by 301, 302, 303 or 308. 303 answers the form of one
// reader.
Response redirect(unsigned status, std::string_view address);

// The port between a server and the code that answers its requests.
struct RoutedResponse {
  Response response;
  std::size_t route;  // for metrics
};

// Thread-safe.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;

  // Called once for each request, as soon as its header is complete: `body` is still empty. May set
  // the request's members that are of the header, which answer() then reads. Returns the response
  // if the header alone decides it. The connection then neither reads the body nor calls answer().
  virtual std::optional<RoutedResponse> check_header(Request&) { return {}; }
  // The response to a request that passed check_header(). Never throws: a failure is a response,
  // too.
  virtual Awaitable<RoutedResponse> answer(Request& request) = 0;
  // The path of the public URL, below which the problems are explained.
  virtual std::string_view path() const { return {}; }
  // The server is about to stop.
  virtual void stop() = 0;
};

// Appends header lines, each ending in CRLF. They forbid browsers to guess types, to frame but
// where the response says who may, and to load or run anything that the pages do not need.
void add_security_headers(std::string& head, const Response& response);

}  // namespace quire::http
