// Content codings: the one in which a client takes a body best (RFC 9110, 12.5.3), and its mark in
// a tag.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace quire::http
