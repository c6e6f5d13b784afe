// How well a column fits a field of a comment, by its name and its values. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "mapping/presets/sample.h"

namespace quire {

// More is better; 0: it does not fit.
int rating_score(const FileColumn& column);
int rating_words_score(const FileColumn& column);
int max_score(const FileColumn& column);
int time_score(const FileColumn& column);
int product_score(const FileColumn& column);
int product_name_score(const FileColumn& column);
int product_key_score(const FileColumn& column);
int id_key_score(const FileColumn& column);
int any_time_score(const FileColumn& column);
int language_score(const FileColumn& column);
int id_score(const FileColumn& column);
int status_score(const FileColumn& column);
int author_score(const FileColumn& column);
int title_score(const FileColumn& column);
int text_score(const FileColumn& column);
int pictures_score(const FileColumn& column);
int reply_text_score(const FileColumn& column);
int reply_time_score(const FileColumn& column);
int reply_author_score(const FileColumn& column);
int parent_score(const FileColumn& column);
int kind_score(const FileColumn& column);

// The number that a text is: "4,5" is 4.5. Absent: it is none.
std::optional<double> number_in(std::string_view text);

// Whether the column is part of the shop's reply.
bool is_of_reply(const FileColumn& column);

// Whether its name or its values lead to a person. `of_author`: it may have names of people.
bool is_private(const FileColumn& column, bool of_author = false);

// Whether the text says that the author has no name, such as "Anonymous".
bool is_nobody(std::string_view author);

// Kinds of comments that are no reviews: "pingback".
bool is_no_comment(std::string_view kind);

}  // namespace quire
