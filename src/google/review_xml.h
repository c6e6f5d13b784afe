// Google's feed of product reviews, version 2.4, as text. Pure.
// https://developers.google.com/product-review-feeds/schema
#pragma once

#include <string>
#include <string_view>

#include "product/facts.h"
#include "quire/comment.h"

namespace quire::google {

struct FeedProduct {
  std::string id;
  std::string url = {};     // of the shop's own page; empty: there is none
  ProductFacts facts = {};  // `name` is the product's, or its id
};

// What stands before and behind the reviews. `publisher`: the shop's name.
std::string feed_head(std::string_view publisher);
inline constexpr std::string_view reviews_begin = "<reviews>\n", reviews_end = "</reviews>\n",
                                  feed_tail = "</feed>\n";

// Whether the feed takes it: a rating alone has no place there.
bool has_content(const Comment& comment);
// A published comment, which has content, of this product.
std::string review_xml(const Comment& comment, const FeedProduct& product);

}  // namespace quire::google
