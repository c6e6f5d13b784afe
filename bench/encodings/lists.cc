#include "lists.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "cli/lines.h"
#include "must.h"
#include "service/importer.h"

namespace quire::bench {

std::vector<Comment> read_comments(const std::string& file) {
  std::vector<Comment> comments;
  // The importer gives rows without ids the ids of an import.
  Importer importer(
      [&](std::vector<Comment> batch) -> Result<std::size_t> {
        std::move(batch.begin(), batch.end(), std::back_inserter(comments));
        return batch.size();
      },
      100'000);
  auto lines = must(cli::Lines::open(file));
  while (lines.next()) must(importer.add(lines.text()));
  if (!lines.failed().empty()) throw std::runtime_error(file + ": " + lines.failed());
  must(importer.finish());
  return comments;
}

std::vector<List> lists_of(const Index& index, const std::vector<Comment>& comments,
                           std::size_t max) {
  const bool all = index.name == indexes[0].name;
  std::map<std::string, std::vector<const Comment*>> by_key;
  for (const auto& comment : comments) {
    auto list = list_of(index, cell(comment.language, comment.rating));
    by_key[list_key(comment.product, list)].push_back(&comment);
  }
  std::vector<List> lists;
  for (auto& [key, members] : by_key) {
    auto end = members.begin() + static_cast<std::ptrdiff_t>(std::min(max, members.size()));
    std::partial_sort(members.begin(), end, members.end(),
                      [](auto* a, auto* b) { return a->id > b->id; });
    List list{all ? "GSI4PK" : "GSIPK", key, {}};
    std::for_each(members.begin(), end, [&](auto* each) { list.newest.push_back(*each); });
    lists.push_back(std::move(list));
  }
  return lists;
}

}  // namespace quire::bench
