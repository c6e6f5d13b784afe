#include "http/server/security_headers.h"

namespace quire::http {

void add_security_headers(std::string& head, const Response& response) {
  bool page = response.type.starts_with("text/html");
  auto add = [&](const auto&... texts) { (head.append(std::string_view(texts)), ...); };
  add("X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: ",
      response.for_other_origins ? "cross-origin" : "same-origin", "\r\nReferrer-Policy: ",
      !page          ? "no-referrer"
      : response.own ? "strict-origin"  // its address may have a ticket
                     : "strict-origin-when-cross-origin",
      "\r\nContent-Security-Policy: default-src 'none'; ",
      page ? "style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
             "base-uri 'none'; img-src 'self'"
           : "",
      page ? std::string_view(response.picture_hosts) : "", page ? "; " : "", "frame-ancestors ",
      response.frame_ancestors.empty() ? std::string_view("'none'") : response.frame_ancestors,
      "\r\n");
}

}  // namespace quire::http
