// Checks the fields of comments, and makes comments of checked ones. An error names every field at
// fault.
#pragma once

#include <optional>
#include <string_view>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// The number of Unicode scalar values in `text`. Absent: it is not UTF-8, or has control characters
// other than those in `allowed`.
std::optional<std::size_t> characters(std::string_view text, std::string_view allowed);

// Whether UTF-8 text has nothing that a reader would see: white space, and characters without
// width.
bool is_blank(std::string_view text);

// The beginning of a name that a caller sent: whole characters, at most 100 bytes.
std::string_view shortened(std::string_view name);

// One error for all fields at fault.
Error invalid_comment(std::vector<FieldError> fields);

// The error of a comment in a language that would be its product's 201st.
Error too_many_languages();

inline constexpr std::string_view product_wanted =
    "must be 1 to 256 bytes of UTF-8 without control characters, and neither . nor .. alone";
bool is_product_name(std::string_view text);
Status check_product(std::string_view product);
// Brings the comment into the form in which Quire keeps comments, then checks it: lines of author,
// title and text end in \n, blanks alone are an empty text, and the language has its canonical
// form. Every way into a store comes by here.
Status check(Draft& draft);
Status check(Patch& patch);
// The error of a draft dated more than limits::future_ms after `now_ms`: it would stay the newest
// comment until then.
Status check_time(const Draft& draft, std::uint64_t now_ms);

// Makes comments: from a draft, or from a comment and a patch.
Comment comment_of(const Ulid& id, Draft draft);
// The comment with the fields of the patch. invalid_comment: it would have too many attributes.
Result<Comment> patched(Comment comment, const Patch& patch);

}  // namespace quire
