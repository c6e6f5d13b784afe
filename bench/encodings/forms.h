// The encodings of `data`, as a table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "quire/comment.h"

namespace quire::bench {

struct Form {
  std::string_view name;
  bool binary;  // an attribute of bytes, which the service's JSON has as base64; else of text
  std::string (*encode)(const Comment&);
  void (*decode)(std::string_view data, Comment& out);  // fills in author, title and text
};

// The first is Quire's.
std::span<const Form> forms();

}  // namespace quire::bench
