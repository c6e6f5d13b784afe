#include "store/queue.h"

#include <utility>

#include "base/hash.h"
#include "base/try.h"
#include "model/attributes.h"
#include "store/wants.h"
#include "words/stemmers.h"
#include "words/terms.h"

namespace quire {
namespace {

using Kind = QueueQuestion::Kind;

constexpr std::pair<Kind, std::string_view> kinds[] = {{Kind::pending, "pending"},
                                                       {Kind::rejected, "rejected"},
                                                       {Kind::reported, "reported"},
                                                       {Kind::published, "published"},
                                                       {Kind::any, "any"}};

// The first id of a time.
Ulid first_at(std::uint64_t ms) {
  return Ulid::make(std::min(ms, Ulid::max_ms), {});
}

bool agrees(std::optional<bool> wanted, bool is) {
  return !wanted || *wanted == is;
}

bool has_words(const Comment& comment, const words::Question* sought) {
  if (!sought) return true;
  thread_local words::Terms terms;  // ICU takes long to make one
  return words::matches(*sought, terms.of(comment.title, comment.text, comment.language));
}

// Each part of the text begins with its length, so no two questions have the same text.
class Text {
 public:
  // No product is empty, so no filter of a product begins so.
  std::string bytes = std::string(4, '\0');

  void add(std::string_view part) {
    bytes.append(std::to_string(part.size())).append(" ").append(part);
  }
  template <class Number>
  void add(const std::optional<Number>& number) {
    add(number ? std::to_string(*number) : std::string("-"));
  }
  template <class Value, class TextOf>
  void add(std::vector<Value> values, TextOf text_of) {
    std::sort(values.begin(), values.end());
    add(std::to_string(values.size()));
    for (const auto& value : values) add(text_of(value));
  }
};

}  // namespace

std::string_view queue_name(Kind kind) {
  return kinds[static_cast<std::size_t>(kind)].second;
}

std::optional<Kind> parse_queue(std::string_view name) {
  for (const auto& [kind, text] : kinds)
    if (text == name) return kind;
  return {};
}

std::optional<Ulid> QueueQuestion::start() const {
  bool newest = direction() == Order::newest_first;
  const auto& edge = newest ? until_ms : since_ms;
  if (!edge) return from();
  auto bound = newest ? first_at(*edge) : first_at(*edge).previous();
  return from() && precedes(bound, *from(), direction()) ? *from() : bound;
}

bool QueueQuestion::in_time(const Ulid& id) const {
  return (!since_ms || id.ms() >= *since_ms) && (!until_ms || id.ms() < *until_ms);
}

Status QueueQuestion::look_for(std::string text) {
  TRY(auto question, words::parse_question(text, words::all_stemmers));
  sought = std::make_shared<const words::Question>(std::move(question));
  words = std::move(text);
  return Done{};
}

bool QueueQuestion::filtered() const {
  return !(product.empty() && product_prefix.empty() && languages.empty() && ratings.empty()) ||
         !rule.empty() || since_ms || until_ms || replied || verified || has_text || sought;
}

bool QueueQuestion::matches(const Comment& comment) const {
  return (product.empty() || product == comment.product) &&
         comment.product.starts_with(product_prefix) && wants(languages, comment.language) &&
         wants(ratings, comment.rating) && in_time(comment.id) &&
         (rule.empty() || rule == comment.moderation.held_by) &&
         agrees(replied, comment.reply.has_value()) && agrees(verified, is_verified(comment)) &&
         agrees(has_text, !comment.text.empty()) && has_words(comment, sought.get());
}

std::uint32_t fingerprint(const QueueQuestion& question) {
  Text text;
  text.add(queue_name(question.kind));
  text.add(question.product);
  text.add(question.languages, [](const std::string& language) { return language; });
  text.add(question.ratings, [](int rating) { return std::to_string(rating); });
  for (const auto& time : {question.since_ms, question.until_ms}) text.add(time);
  for (const auto& flag : {question.replied, question.verified, question.has_text}) text.add(flag);
  if (!question.rule.empty() || question.sought) {
    text.add(question.rule);
    text.add(question.words);
  }
  return static_cast<std::uint32_t>(long_hash(text.bytes));
}

}  // namespace quire
