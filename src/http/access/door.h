// The door of HTTP: makes a writer of a request's header, and asks the desk, before the body is
// read. What the desk refuses becomes a response here.
#pragma once

#include <memory>
#include <optional>

#include "desk/desk.h"
#include "http/access/session.h"
#include "http/message.h"
#include "http/parameters.h"

namespace quire::http {

// The response to a request that the desk refuses.
Response problem(const desk::Refusal& refusal);

// Bytes of a body of a few fields: a signed token among them has 8 KiB.
inline constexpr std::size_t few_fields = 16 * 1024;

// How a route lets requests in.
struct Entrance {
  enum class By {
    anyone,          // reads what is public
    header,          // the header names the writer
    header_or_none,  // the same, for more than the public sees: nobody is refused
    address,         // the parameter `token` names the writer
    body,            // a field of a form names the writer; its handler asks the desk
    session,         // a cookie names the moderator; without one the body has a few fields
  };
  enum class Body { none, json, patch, form, lines };

  By by = By::anyone;
  desk::Deed deed = {};
  Body body = Body::none;
  // Of a write: others are refused. The handler of a read looks at its own. Must outlive
  // the entrance.
  Names parameters = {};
};

// Thread-safe.
class Door {
 public:
  // `desk` must outlive this. `key`: of no other use, seals sessions.
  Door(desk::Desk& desk, const Siv::Key& key) : desk_(desk), sessions_(key) {}

  desk::Desk& desk() const { return desk_; }
  const Sessions& sessions() const { return sessions_; }

  // Looks at the query, then asks the desk, and looks at the body's type last. The response to a
  // request that is refused; else sets its permit, unless the handler asks for it.
  std::optional<Response> check(Request& request, const Entrance& entrance) const;

  // Asks the desk to admit a writer whom the body of the request names. Its network was counted.
  desk::Admission admit(const Request& request, desk::Writer writer, desk::Deed deed,
                        std::string product = {}) const;
  // See Desk.
  std::optional<desk::Writer> moderator_by(const Request& request, std::string_view secret) const;
  // The moderator whose session the request's cookie is of. Absent: it is of none.
  std::optional<desk::Writer> moderator(const Request& request) const;

 private:
  // The writer, of the network and the number of the request.
  static std::shared_ptr<const desk::Writer> placed(const Request& request, desk::Writer writer);
  std::optional<Response> take(Request& request, desk::Writer writer, desk::Deed deed,
                               std::string product = {}) const;
  std::optional<Response> let_in(Request& request, const Entrance& entrance) const;
  std::optional<Response> check_session(Request& request, const Entrance& entrance) const;
  std::optional<Response> check_import(Request& request) const;

  desk::Desk& desk_;
  const Sessions sessions_;
};

}  // namespace quire::http
