// The pages people see, rendered on the server from the templates under web/.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "http/html/shown_comment.h"
#include "http/message.h"
#include "http/problem.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// Thread-safe.
class Html {
 public:
  // `demo`: every page says that anyone may post.
  explicit Html(bool demo);

  // The answer of a page without its body: headers and how it may be cached.
  static Response unrendered();
  // Made of all that a page shows besides its data: templates, files and settings. For its tag.
  std::string frame(const std::string& origin) const;
  // `origin`: "https://shop.example", for addresses that must be whole.
  Response comments(const FoundPage& page, const std::vector<ShownComment>& comments, AsOf as_of_ms,
                    const Query& query, const std::string& origin,
                    std::chrono::microseconds took) const;
  // One comment, whole.
  Response comment(const Comment& comment) const;
  // `after`: the last product of the page before; absent on the first.
  Response products(const std::vector<ProductTotal>& products,
                    const std::optional<std::string>& after, bool more) const;
  Response leaders(const Leaderboard& board, Leaders by) const;
  Response explanation(const Problem& problem) const;
  // A problem's JSON as a page.
  Response error(const Response& problem, const std::string& request_id) const;

  // The file's address carries its hash, so it can be cached for ever.
  static std::string file_address(std::string_view name);

 private:
  bool demo_;
};

}  // namespace quire::http
