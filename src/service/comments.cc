// A request goes through page(), below.
#include "service/comments.h"

#include <chrono>
#include <cstring>

#include "base/limits.h"
#include "base/try.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/document.h"
#include "model/filter.h"
#include "model/validate.h"
#include "model/vote.h"
#include "service/pagination.h"

namespace quire {
namespace {

Error bad_parameter(std::string parameter, std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), std::move(parameter)};
}

Status check(const Query& query) {
  if (query.limit < 1 || query.limit > limits::page_max) {
    return bad_parameter("limit", "limit is a whole number from 1 to 100.");
  }
  if (query.after.has_value() + query.before.has_value() + query.page.has_value() +
          query.skip.has_value() >
      1) {
    return bad_parameter(query.skip   ? "skip"
                         : query.page ? "page"
                                      : "before",
                         "after, before, page and skip exclude each other; send one of them.");
  }
  if (query.page == 0) return bad_parameter("page", "Pages are counted from 1.");
  return Done{};
}

Explanation explained(const Listing& listing, std::chrono::steady_clock::time_point begun) {
  auto plan = listing.explanation();
  auto time = std::chrono::steady_clock::now() - begun;
  plan.microseconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(time).count());
  return plan;
}

// The position of a comment that the filter selects.
Position position_of(const Comment& comment, const BoundQuery& question) {
  Position position{comment.id};
  if (!question.sort.by_value()) return position;
  auto value = facet_value(question.schema->find(question.sort.by)->facet(), comment);
  if (value) position.value = std::get<std::int64_t>(*value);
  return position;
}

// Without its flags and numbers, in which nobody writes anything.
Attributes texts_of(const Comment& comment) {
  Attributes texts;
  for (const auto& [name, value] : comment.attributes) {
    bool is_text = std::holds_alternative<std::string>(value) ||
                   std::holds_alternative<std::vector<std::string>>(value);
    if (is_text) texts.emplace(name, value);
  }
  return texts;
}

// What the writer may have changed, as far as rules look at it. `fields`: attributes.
bool same_words(const Comment& a, const Comment& b, const std::vector<std::string>& fields) {
  auto value = [](const Comment& comment, const std::string& name) {
    auto at = comment.attributes.find(name);
    return at == comment.attributes.end() ? nullptr : &at->second;
  };
  for (const auto& name : fields) {
    const auto *one = value(a, name), *other = value(b, name);
    if (!one != !other || (one && *one != *other)) return false;
  }
  return a.author == b.author && a.title == b.title && a.text == b.text && a.media == b.media &&
         (a.attributes == b.attributes || texts_of(a) == texts_of(b));
}

// What becomes of a comment's status when it is changed.
Status moderate_patch(const Patch& patch, const Rules& rules,
                      const std::vector<std::string>& fields, std::uint64_t now_ms,
                      const Comment& before, Comment& after) {
  if (patch.decides()) {
    TRY(after.moderation, decided(after.moderation, patch, now_ms));
    return Done{};
  }
  if (!rules || same_words(before, after, fields)) return Done{};
  if (!fields.empty() && before.attributes != after.attributes)
    TRY_DONE(check_room(after.attributes));
  auto rule = rules(after);
  if (rule || !after.published())
    after.moderation = held(after.moderation, rule.value_or(after.moderation.held_by), now_ms);
  after.moderation.decided = false;
  return Done{};
}

}  // namespace

// A listing, and what it was opened on.
struct Comments::Opened {
  std::unique_ptr<View> view;
  Counts counts;
  std::unique_ptr<Listing> listing;
};

Comments::Comments(Store& store, std::unique_ptr<ListingMaker> listings, Seal seal, Clock clock,
                   Entropy entropy)
    : store_(store),
      listings_(std::move(listings)),
      seal_(std::move(seal)),
      clock_(std::move(clock)),
      entropy_(std::move(entropy)) {}

Awaitable<Result<Comments::Opened>> Comments::open(std::unique_ptr<View> view, const Filter& filter,
                                                   SortBy sort, Opening opening) const {
  CO_TRY(auto counts, co_await view->counts(filter.product));
  CO_TRY(auto listing, co_await listings_->open(*view, filter, sort, counts, opening));
  Opened opened{std::move(view), std::move(counts), std::move(listing)};
  co_return std::move(opened);
}

Awaitable<Result<FoundPage>> Comments::page(const Query& query, Links links) const {
  CO_TRY_DONE(check(query));
  auto view = store_.view();
  CO_TRY(auto question, co_await bound_query(*view, query));
  CO_TRY(auto cursor, cursor_of(query, question, seal_));

  auto begun = std::chrono::steady_clock::now();
  bool by_number = query.page > 1u || query.skip > 0u;
  auto numbered = by_number ? Opening::Numbered::yes : Opening::Numbered::if_soon;
  CO_TRY(auto opened,
         co_await open(std::move(view), question.filter, question.sort, {query.limit, numbered}));
  Listing& listing = *opened.listing;
  std::optional<Position> position;  // absent: the page begins the listing
  if (cursor) position = cursor->position;
  if (by_number) {
    CO_TRY(position, co_await position_of(query, listing));
  }
  auto direction = query.before ? Direction::backward : Direction::forward;
  CO_TRY(auto rows, co_await listing.read(position, direction));

  auto sealed = [&](const std::optional<Position>& edge, bool backward) {
    if (!edge) return std::optional<std::string>();
    return std::optional(seal_.seal({backward, query.sort, *edge, question.fingerprint}));
  };
  FoundPage page;
  page.next = sealed(rows.next, false);
  page.previous = sealed(rows.previous, true);
  page.read = rows.read;
  page.discarded = rows.read - rows.entries.size();
  page.requests = rows.requests;
  CO_TRY_DONE(co_await add_number(page, listing, rows, query.limit, links));
  if (query.counts) {
    CO_TRY_DONE(co_await add_counts(page, listing, *question.schema));
  }
  if (query.explain) page.explanation = explained(listing, begun);
  page.rows = std::move(rows.entries);
  page.schema = std::move(question.schema);
  page.counts = std::move(opened.counts);
  page.view = std::move(opened.view);
  co_return page;
}

Awaitable<Result<CommentPage>> Comments::page_of(CommentName name, Query query) const {
  auto view = store_.view();
  CO_TRY(auto id, co_await view->named(name.text));
  CO_TRY(auto document, co_await view->get(id));
  auto comment = decode_document(document);
  if (!comment) co_return damaged_comment(id);
  query.product = comment->product;
  query.after = query.before = {};
  query.page = query.skip = {};
  CO_TRY_DONE(check(query));
  CO_TRY(auto question, co_await bound_query(*view, query));
  Error excluded{ErrorCode::not_found, "The comment exists, but this filter excludes it."};
  if (!question.filter.matches(*comment)) co_return excluded;
  Opening opening{query.limit, Opening::Numbered::yes};
  CO_TRY(auto opened, co_await open(std::move(view), question.filter, question.sort, opening));
  Listing& listing = *opened.listing;
  auto position = position_of(*comment, question);
  if (!question.filter.words.empty()) {  // the index alone tells whether the comment has them
    auto before = just_beyond(position, Direction::backward, question.sort.order());
    CO_TRY(auto rows, co_await listing.read(before, Direction::forward));
    if (rows.comments() == 0 || rows.first->id != id) co_return excluded;
  }
  CO_TRY(auto rank, co_await listing.rank(position));
  if (!rank) co_return unnumbered(listing.numbers());
  // A comment that an index beside the store does not have yet may come after all that it has.
  auto page = number_at(*rank, listing.total().value_or(0), query.limit);
  co_return CommentPage{id, std::move(comment->product), page.number};
}

Awaitable<Result<std::vector<FacetStatus>>> Comments::facets() const {
  auto view = store_.view();
  CO_TRY(auto schema, co_await view->schema());
  co_return schema->statuses();
}

Awaitable<Result<FoundComment>> Comments::get(CommentName name) const {
  auto view = store_.view();
  CO_TRY(auto id, co_await view->named(name.text));
  CO_TRY(auto document, co_await view->get(id));
  co_return FoundComment{document, std::move(view)};
}

Awaitable<Status> Comments::check_facets(const Attributes& attributes) const {
  if (attributes.empty()) co_return Done{};
  auto view = store_.view();
  CO_TRY(auto schema, co_await view->schema());
  auto fields = check_types(*schema, attributes);
  if (fields.empty()) co_return Done{};
  co_return invalid_comment(std::move(fields));
}

Digest content_of(const Draft& draft) {
  auto created = draft.created_ms ? std::to_string(*draft.created_ms) : "now";
  auto rating = std::to_string(draft.rating);
  std::vector<std::string_view> body{draft.language, rating,     draft.author,
                                     draft.title,    draft.text, created};
  std::string attributes;
  if (!draft.attributes.empty()) {
    append_json(attributes, draft.attributes);
    body.push_back(attributes);
  }
  std::string media;
  append_media(media, draft.media);
  if (!media.empty()) body.push_back(media);
  const auto& decision = draft.moderation;
  if (draft.decides)
    body.insert(body.end(), {status_name(decision.status), decision.reason, decision.note});
  return sha256(body);
}

Awaitable<Result<Posted>> Comments::post(Draft draft, std::optional<SentKey> key, Rules rules,
                                         CustomerTerms terms) {
  CO_TRY_DONE(quire::check(draft));
  CO_TRY_DONE(co_await check_facets(draft.attributes));
  std::uint64_t now = clock_();
  CO_TRY_DONE(check_time(draft, now));
  std::optional<RequestKey> once;
  if (key) {
    auto half = [](const Digest& digest) {
      std::array<std::uint8_t, 16> out;
      std::memcpy(out.data(), digest.data(), out.size());
      return out;
    };
    auto content = key->content ? *key->content : content_of(draft);
    const auto& product = key->product.empty() ? draft.product : key->product;
    once = RequestKey{half(sha256({product, key->key})), half(content), now};
  }
  Ulid id = draft.created_ms ? ids_.of(*draft.created_ms, entropy_()) : ids_.next(now, entropy_());
  Comment comment = comment_of(id, std::move(draft));
  if (auto rule = rules ? rules(comment) : std::nullopt)
    comment.moderation = held({}, *rule, now);
  else if (!comment.published())
    comment.moderation.held_ms = now;
  terms.now_ms = now;
  CO_TRY(auto document, co_await store_.insert(std::move(comment), once, std::move(terms)));
  auto stored = decode_document(document);
  if (!stored) co_return damaged_first_answer();
  Posted posted{std::move(*stored), std::move(document)};
  posted.repeated = posted.comment.id != id;
  if (posted.comment.moderation != Moderation{}) posted.document = encode_document(posted.comment);
  co_return posted;
}

Awaitable<Result<Edited>> Comments::patch(Ulid id, Patch patch, Condition condition, Rules rules,
                                          std::vector<std::string> fields) {
  CO_TRY_DONE(quire::check(patch));
  Attributes changed;
  for (const auto& [name, value] : patch.attributes) {
    if (value) changed.emplace(name, *value);
  }
  CO_TRY_DONE(co_await check_facets(changed));
  Moderate moderate = [patch, rules = std::move(rules), fields = std::move(fields), now = clock_()](
                          const Comment& before, Comment& after) {
    return moderate_patch(patch, rules, fields, now, before, after);
  };
  co_return co_await store_.update(id, std::move(patch), std::move(condition), std::move(moderate));
}

Awaitable<Result<Edited>> Comments::reply(Ulid id, std::optional<Reply> reply, Condition condition,
                                          bool unpublished) {
  Patch patch;
  patch.reply = std::move(reply);
  CO_TRY_DONE(quire::check(patch));
  Moderate moderate = [now = clock_(), unpublished](const Comment& before,
                                                    Comment& after) -> Status {
    if (!before.published() && !unpublished) return no_such_comment();
    if (!before.reply && !after.reply)
      return Error{ErrorCode::not_found, "This comment has no reply."};
    if (!after.reply) return Done{};
    bool same = before.reply && before.reply->author == after.reply->author &&
                before.reply->text == after.reply->text;
    after.reply->created_ms = same ? before.reply->created_ms : now;
    return Done{};
  };
  co_return co_await store_.update(id, std::move(patch), std::move(condition), std::move(moderate));
}

Awaitable<Result<Comment>> Comments::find(CommentName name) const {
  auto view = store_.view();
  CO_TRY(auto id, co_await view->named(name.text));
  co_return co_await view->find(id);
}

}  // namespace quire
