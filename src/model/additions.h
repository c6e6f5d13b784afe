// What a comment has beside its words: pictures, and the shop's reply.
#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// Append the member of a JSON object with a comma before it, if there is anything.
void append_media(std::string& out, const Media& media);
void append_reply(std::string& out, const std::optional<Reply>& reply);

// Read the value of the member `media` or `reply`: its form, and the checks below. Errors are added
// with fields such as "media.0.url". `dated`: the reply has `created_at`, as a store keeps it.
Media media_in(const boost::json::value& value, std::vector<FieldError>& errors);
Reply reply_in(const boost::json::value& value, bool dated, std::vector<FieldError>& errors);

// Check the values, and bring texts into the form in which Quire keeps them. Errors, as above.
void check(Media& media, std::vector<FieldError>& errors);
void check(Reply& reply, std::vector<FieldError>& errors);

// The host in a picture's address, which has the form https://HOST or https://HOST/PATH, without
// port and user: "img.shop.example". Absent: it has another form.
std::optional<std::string_view> host_of(std::string_view url);
// Whether the text can be such a host: lower-case letters, digits, hyphens and points, see
// is_web_host().
bool is_host(std::string_view text);

}  // namespace quire
