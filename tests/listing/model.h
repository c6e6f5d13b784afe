// The plain vector with which pages and listings are compared.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "listing/plain_facets.h"
#include "quire/comment.h"
#include "quire/page.h"

namespace quire {

// The languages of comments in tests.
inline const std::vector<std::string> languages = {"en", "de", "und", "ar"};

class PlainModel {
 public:
  void insert(const Comment& comment) { comments_.push_back(comment); }
  void remove(const Ulid& id) {
    std::erase_if(comments_, [&](const Comment& comment) { return comment.id == id; });
  }
  bool has(const Ulid& id) const {
    return std::any_of(comments_.begin(), comments_.end(),
                       [&](const Comment& comment) { return comment.id == id; });
  }
  Comment& at(std::size_t i) { return comments_[i]; }
  std::size_t size() const { return comments_.size(); }
  const std::vector<Comment>& all() const { return comments_; }

  std::vector<Facet> facets;  // that are declared

  // All comments a query selects, in its order; limit and cursors left aside.
  std::vector<Ulid> select(const Query& query) const {
    auto found = selected(query);
    return ids(found.begin(), found.end());
  }

  // The same, as comments.
  std::vector<Comment> comments(const Query& query) const {
    std::vector<Comment> found;
    for (const Comment* each : selected(query)) found.push_back(*each);
    return found;
  }

  struct PlainPage {
    std::vector<Ulid> ids;
    bool previous, next;  // whether there is such a page
  };
  // The page after `edge`, or before it, whether or not that is still there; without one the first.
  PlainPage page(const Query& query, const std::optional<Comment>& edge, bool backward) const {
    auto all = selected(query);
    auto begin = all.begin(), end = all.end();
    auto limit = static_cast<std::ptrdiff_t>(query.limit);
    if (edge && backward) {
      end = std::find_if(begin, end, [&](auto* each) { return !precedes(*each, *edge, query); });
      begin = end - std::min(limit, end - begin);
    } else {
      auto after = [&](auto* each) { return !edge || precedes(*edge, *each, query); };
      begin = std::find_if(begin, end, after);
      end = begin + std::min(limit, end - begin);
    }
    return {ids(begin, end), begin != all.begin(), end != all.end()};
  }

 private:
  using Selected = std::vector<const Comment*>;

  Selected selected(const Query& query) const {
    Selected found;
    for (const auto& comment : comments_)
      if (selects(query, facets, comment)) found.push_back(&comment);
    std::sort(found.begin(), found.end(),
              [&](const Comment* a, const Comment* b) { return precedes(*a, *b, query); });
    return found;
  }

  static std::vector<Ulid> ids(Selected::const_iterator begin, Selected::const_iterator end) {
    std::vector<Ulid> ids;
    for (; begin != end; ++begin) ids.push_back((*begin)->id);
    return ids;
  }

  std::vector<Comment> comments_;
};

}  // namespace quire
