// The plain vector that everything is compared with.
#pragma once

#include <algorithm>
#include <vector>

#include "model/facets.h"
#include "quire/comment.h"
#include "quire/page.h"

namespace quire {

class PlainModel {
 public:
  void insert(const Comment& comment) { comments_.push_back(comment); }
  void remove(const Ulid& id) {
    std::erase_if(comments_, [&](const Comment& comment) { return comment.id == id; });
  }
  Comment& at(std::size_t i) { return comments_[i]; }
  std::size_t size() const { return comments_.size(); }

  // All comments a query selects, in its order; limit and cursors left aside.
  std::vector<Ulid> select(const Query& query) const {
    std::vector<const Comment*> found;
    for (const auto& comment : comments_) {
      if (comment.product == query.product && has(query.languages, comment.language) &&
          has(query.ratings, comment.rating)) {
        found.push_back(&comment);
      }
    }
    std::sort(found.begin(), found.end(), [&](const Comment* a, const Comment* b) {
      if (query.sort == Sort::highest && a->rating != b->rating) return a->rating > b->rating;
      if (query.sort == Sort::lowest && a->rating != b->rating) return a->rating < b->rating;
      return query.sort == Sort::oldest ? a->id < b->id : a->id > b->id;
    });
    std::vector<Ulid> ids;
    for (const auto* comment : found) ids.push_back(comment->id);
    return ids;
  }

 private:
  template <class T>
  static bool has(const std::vector<T>& wanted, const T& value) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  }

  std::vector<Comment> comments_;
};

}  // namespace quire
