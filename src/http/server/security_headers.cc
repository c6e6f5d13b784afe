#include "http/server/security_headers.h"

namespace quire::http {
namespace {

constexpr std::string_view for_pages =
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: strict-origin-when-cross-origin\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'\r\n";
constexpr std::string_view for_data =
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n";

}  // namespace

std::string_view security_headers(std::string_view type) {
  return type.starts_with("text/html") ? for_pages : for_data;
}

}  // namespace quire::http
