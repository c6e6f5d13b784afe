#include "page_index/redis/changes.h"

#include <map>

#include "base/text.h"
#include "model/facets.h"

namespace quire::redis {
namespace {

// Per id, whether the list has it after the changes.
using Members = std::map<Ulid, bool>;
struct Lists {
  std::string product;
  FacetValue language;  // or any
  auto operator<=>(const Lists&) const = default;
};
using Ratings = std::array<Members, rating_count>;

void note(std::map<Lists, Ratings>& lists, const change::Change& change, const Cell& cell,
          bool there) {
  auto rating = static_cast<std::size_t>(cell[rating_facet]) - 1;
  if (rating >= rating_count) return;  // no comment has such a rating
  for (auto language : {any, cell[language_facet]})
    lists[{change.product, language}][rating][change.id] = there;
}

std::map<Lists, Ratings> fold(const std::vector<change::Change>& changes) {
  std::map<Lists, Ratings> lists;
  for (const auto& change : changes) {
    if (change.from) note(lists, change, change.from->cell, false);
    if (change.to) note(lists, change, change.to->cell, true);
  }
  return lists;
}

// Appends the number of words, then the words.
void append_counted(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.push_back(std::to_string(words.size()));
  to.insert(to.end(), words.begin(), words.end());
}

void append(BucketChanges& part, const Lists& lists, const Ratings& ratings) {
  bool of_language = lists.language != any;
  auto name = list_key(lists.product, {lists.language, any});
  part.arguments.push_back(of_language ? "4" : "3");  // the number of the key that notes it
  part.arguments.push_back(of_language ? name : lists.product);
  part.names.push_back(std::move(name));
  for (const auto& members : ratings) {
    std::vector<std::string> removed, added;
    for (const auto& [id, there] : members) {
      if (there) added.push_back("0");
      (there ? added : removed).emplace_back(id.view());
    }
    append_counted(part.arguments, removed);
    append_counted(part.arguments, added);
  }
}

// Takes the words of a text apart. After a word that does not fit, `failed` stays true.
class Words {
 public:
  explicit Words(std::string_view text) {
    Replies replies;
    replies.feed(text);
    auto reply = replies.next();
    failed = !reply || !reply->is(Reply::Kind::list);
    if (!failed) words_ = std::move(reply->list);
  }

  bool failed = false;
  bool ended() const { return at_ == words_.size(); }

  std::string word() {
    failed |= ended() || !words_[at_].is(Reply::Kind::bytes);
    return failed ? std::string() : std::move(words_[at_++].bytes);
  }
  std::size_t number() {
    auto number = parse_integer<std::size_t>(word());
    failed |= !number;
    return failed ? 0 : *number;
  }
  std::vector<std::string> counted() {
    std::vector<std::string> words;
    for (auto left = number(); left > 0 && !failed; --left) words.push_back(word());
    return words;
  }

 private:
  std::vector<Reply> words_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<BucketChanges> parts_of(const std::vector<change::Change>& changes) {
  std::map<unsigned, BucketChanges> parts;
  for (const auto& [lists, ratings] : fold(changes)) {
    auto bucket = bucket_of(lists.product);
    auto& part = parts[bucket];
    part.bucket = bucket;
    append(part, lists, ratings);
  }
  std::vector<BucketChanges> out;
  for (auto& [bucket, part] : parts) out.push_back(std::move(part));
  return out;
}

std::string text_of(const OpenStep& step) {
  std::vector<std::string> words{step.after};
  append_counted(words, step.forget);
  for (const auto& part : step.parts) {
    words.push_back(std::to_string(part.bucket));
    append_counted(words, part.names);
    append_counted(words, part.arguments);
  }
  std::vector<std::string_view> views(words.begin(), words.end());
  return request(views);
}

std::optional<OpenStep> parse_step(std::string_view text) {
  Words words(text);
  OpenStep step{words.word()};
  step.forget = words.counted();
  while (!words.failed && !words.ended()) {
    auto bucket = words.number();
    words.failed |= bucket >= bucket_count;
    BucketChanges part{static_cast<unsigned>(bucket)};
    part.names = words.counted();
    part.arguments = words.counted();
    step.parts.push_back(std::move(part));
  }
  if (words.failed) return {};
  return step;
}

Call call_of(const Script& script, const Bucket& bucket, const BucketChanges& part,
             std::vector<std::string> first) {
  Call call{script,
            {bucket.fences(), bucket.products(), bucket.languages()},
            std::move(first),
            Call::writes};
  for (const auto& name : part.names) {
    for (auto& key : bucket.lists(name)) call.keys.push_back(std::move(key));
  }
  call.arguments.insert(call.arguments.end(), part.arguments.begin(), part.arguments.end());
  return call;
}

}  // namespace quire::redis
