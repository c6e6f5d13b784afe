#include "mapping/presets/roles.h"

#include <algorithm>
#include <functional>

#include "mapping/presets/scores.h"

namespace quire {
namespace {

using Score = std::function<int(const FileColumn&)>;

struct Wanted {
  std::size_t most = 1;
  bool of_reply = false;
  bool of_author = false;  // the columns may have names of people
  bool around = false;     // the columns may be of elements around the record
};

class Search {
 public:
  Search(const std::vector<FileColumn>& columns, std::size_t records)
      : columns_(columns), records_(records) {}

  // The best columns first; each further one has a value where those before have none.
  Roles::Chosen take(const Score& score, Wanted wanted = {}) {
    std::vector<std::pair<int, const FileColumn*>> found;
    for (const auto& column : columns_) {
      bool free = !used_.contains(&column) && is_of_reply(column) == wanted.of_reply &&
                  (!column.around || wanted.around);
      if (!free || column.column.values.empty() || is_private(column, wanted.of_author)) continue;
      if (auto points = score(column); points > 0) found.emplace_back(points, &column);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    Roles::Chosen out;
    std::vector<bool> filled(records_);
    for (const auto& [points, column] : found) {
      bool more = false;
      for (auto record : column->records) {
        more |= !filled[record];
        filled[record] = true;
      }
      if (!more || out.size() == wanted.most) continue;
      used_.insert(column);
      out.push_back(column);
    }
    return out;
  }

 private:
  const std::vector<FileColumn>& columns_;
  std::size_t records_;
  std::set<const FileColumn*> used_;
};

}  // namespace

std::set<const FileColumn*> Roles::used() const {
  std::set<const FileColumn*> out;
  for (const auto* each :
       {&id, &product, &language, &rating, &created_at, &author, &title, &text, &status, &pictures,
        &reply_author, &reply_text, &reply_time, &max, &parent, &kind})
    out.insert(each->begin(), each->end());
  return out;
}

Roles find_roles(const std::vector<FileColumn>& columns, std::size_t records) {
  Search search(columns, records);
  Roles roles;
  roles.max = search.take(max_score);
  roles.rating = search.take(rating_score);
  if (roles.rating.empty()) roles.rating = search.take(rating_words_score);
  roles.status = search.take(status_score);
  roles.created_at = search.take(time_score, {.most = 2});
  if (roles.created_at.empty()) roles.created_at = search.take(any_time_score);
  roles.id = search.take(id_score);
  if (roles.id.empty()) roles.id = search.take(id_key_score);
  roles.product = search.take(product_score, {.most = 3, .around = true});
  if (roles.product.empty()) roles.product = search.take(product_key_score);
  if (roles.product.empty()) roles.product = search.take(product_name_score);
  roles.language = search.take(language_score);
  roles.pictures = search.take(pictures_score);
  roles.parent = search.take(parent_score);
  roles.kind = search.take(kind_score);
  roles.title = search.take(title_score);
  roles.author = search.take(author_score, {.most = 2, .of_author = true});
  roles.text = search.take(text_score);
  roles.reply_time = search.take(reply_time_score, {.of_reply = true});
  roles.reply_author = search.take(reply_author_score, {.of_reply = true, .of_author = true});
  roles.reply_text = search.take(reply_text_score, {.of_reply = true});
  return roles;
}

}  // namespace quire
