// A comment as it is stored: a small header for filters, then the JSON that answers contain.
// Format: docs/formats/document.md
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/facets.h"
#include "model/moderation.h"
#include "quire/comment.h"

namespace quire {

// The fields of a comment, which are stored elsewhere. Language and rating are valid.
struct CommentView {
  Ulid id;
  std::string_view product;
  std::string_view language;
  int rating;
  std::string_view author;
  std::string_view title;
  std::string_view text;
  const Attributes& attributes;
  const Moderation* moderation = nullptr;  // null: it is published
  std::optional<CustomerHash> customer = {};
  const Media* media = nullptr;                 // null: it has no pictures
  const std::optional<Reply>* reply = nullptr;  // null: it has none
};

std::string encode_document(const CommentView& comment, Members members = Members::shown);
std::string encode_document(const Comment& comment, Members members = Members::shown);

// The comment's JSON within a document: a part of the argument.
std::string_view document_json(std::string_view document);
// The same with the member `customer` at its end, if a customer wrote the comment: for those who
// keep the comment elsewhere.
std::string exported_json(std::string_view document);
// The customer who wrote the comment. Absent: none did.
std::optional<CustomerHash> customer_of(std::string_view document);
// The ETag of the comment's JSON, in quotes, 18 characters. Another state has another tag.
std::string document_tag(std::string_view document);
// The facet values in its header.
Cell document_cell(std::string_view document);
// The comment that has this JSON. Absent: the JSON is damaged.
std::optional<Comment> comment_of(std::string_view json);
// The same, several times as fast, of JSON in the one form that encode_document() writes. Absent:
// it is of another form, or damaged. The language is not checked.
std::optional<Comment> written_comment_of(std::string_view json);
// Absent: the document is damaged or of another version.
std::optional<Comment> decode_document(std::string_view document);

// Stands for a comment whose document is damaged. It has no language, no rating and no JSON. Static
// storage.
std::string_view damaged_document();
bool is_damaged(std::string_view document);

// `text` as a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace quire
