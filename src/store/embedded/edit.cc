#include "store/embedded/edit.h"

#include <algorithm>
#include <stdexcept>

#include "base/clock.h"
#include "base/try.h"
#include "bitmap_index/reading/selection.h"
#include "model/document.h"
#include "model/made_facets.h"
#include "model/validate.h"
#include "store/embedded/words.h"
#include "word_index/terms.h"

namespace quire::embedded {

namespace {

constexpr std::uint64_t kept_ms = 24 * 60 * 60 * 1000;
constexpr int forgotten_at_once =
    4;  // more than the one key of a request, so old keys cannot pile up

std::string_view bytes(const std::array<std::uint8_t, 16>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::uint64_t& counter(ProductRow& row, const Comment& comment) {
  return row.count(cell(comment.language, comment.rating));
}

bool same_in_index(const Comment& a, const Comment& b) {
  return a.language == b.language && a.rating == b.rating && a.attributes == b.attributes &&
         std::all_of(std::begin(made_facets), std::end(made_facets),
                     [&](const MadeFacet& each) { return each.of(a) == each.of(b); });
}

using Values = std::vector<bitmap_index::Value>;

// The facets of which the values are not the same.
std::vector<FacetNumber> facets_that_differ(const Values& a, const Values& b) {
  std::vector<FacetNumber> facets;
  auto add_missing = [&](const Values& from, const Values& in) {
    for (const auto& value : from) {
      if (std::find(in.begin(), in.end(), value) == in.end()) facets.push_back(value.facet);
    }
  };
  add_missing(a, b);
  add_missing(b, a);
  std::sort(facets.begin(), facets.end());
  facets.erase(std::unique(facets.begin(), facets.end()), facets.end());
  return facets;
}

std::optional<Values> without_texts(std::optional<Values> values) {
  if (values) std::for_each(values->begin(), values->end(), [](auto& each) { each.text = {}; });
  return values;
}

// Sorts changes by id, and makes one of several changes of an id.
void merge_changes(auto& index) {
  if (index.empty()) return;
  std::stable_sort(index.begin(), index.end(),
                   [](const auto& a, const auto& b) { return a.id < b.id; });
  auto last = index.begin();
  for (auto next = std::next(last); next != index.end(); ++next) {
    if (last->id == next->id)
      last->after = next->after;
    else
      *++last = *next;
  }
  index.erase(std::next(last), index.end());
}

}  // namespace

std::optional<Result<std::string>> Edit::first_answer(const RequestKey& once) const {
  auto found = txn_.find(db_.once, bytes(once.key));
  if (!found) return {};
  OnceRow row = decode_once(*found);
  if (row.time_ms + kept_ms <= once.now_ms) return {};
  if (row.body != once.body) return idempotency_conflict();
  return std::move(row.document);
}

void Edit::remember(const RequestKey& once, const Ulid& id, const std::string& document) {
  forget(bytes(once.key));
  txn_.put(db_.once, bytes(once.key), encode_once({once.now_ms, once.body, id, document}));
  txn_.put(db_.once_by_time, by_time_key(once.now_ms, bytes(once.key)), {});
  txn_.put(db_.once_by_id, id.view(), bytes(once.key));
}

void Edit::forget(std::string_view key) {
  auto found = txn_.find(db_.once, key);
  if (!found) return;
  OnceRow row = decode_once(*found);
  std::string kept(key);  // `key` may be a view of a row that is removed
  txn_.remove(db_.once_by_time, by_time_key(row.time_ms, kept));
  txn_.remove(db_.once_by_id, row.id.view());
  txn_.remove(db_.once, kept);
}

bool Edit::forget_request_of(const Ulid& id) {
  auto key = txn_.find(db_.once_by_id, id.view());
  if (key) forget(std::string(*key));
  return key.has_value();
}

void Edit::forget_expired(std::uint64_t now_ms) {
  lmdb::Cursor oldest(txn_.get(), db_.once_by_time);
  for (int i = 0; i < forgotten_at_once && oldest.move(MDB_FIRST); ++i) {
    if (oldest.key().size() != 24)
      throw lmdb::Damaged("a key of once_by_time is damaged: run quire verify");
    if (get_u64(oldest.key().data()) + kept_ms > now_ms) return;
    std::string key(oldest.key());
    auto request = std::string_view(key).substr(8);
    try {
      forget(request);
    } catch (const lmdb::Damaged&) {
      txn_.remove(db_.once, request);  // quire verify finds its entry in once_by_id
    }
    txn_.remove(db_.once_by_time, key);  // still there if its row is missing
  }
}

Result<std::string> Edit::insert(const Comment& comment, const std::optional<RequestKey>& once,
                                 const CustomerTerms& terms, const word_index::Terms& words) {
  if (auto to = successor(comment.product)) {
    auto moved = comment;
    moved.product = std::move(*to);
    return insert(moved, once, terms, words);
  }
  if (once) {
    forget_expired(once->now_ms);
    if (auto answer = first_answer(*once)) return std::move(*answer);
  }
  TRY_DONE(check_terms(terms, comment));
  if (!has_room(comment)) return too_many_languages();
  if (txn_.find(db_.ids, comment.id.view()) || is_held(comment.id)) {
    return Error{ErrorCode::unavailable, "The id drawn for this comment is taken. Try again."};
  }
  auto shown = encode_document(comment);
  put(comment, shown);
  if (!words.empty()) made_terms_[comment.id] = words;
  put_customer(comment);
  events_.add(event_of(comment.moderation.status), comment, true);
  if (terms.ticket && comment.customer) use_ticket(*terms.ticket, comment, terms.now_ms);
  bool kept_alike = comment.moderation == Moderation{};
  auto whole = kept_alike ? std::move(shown) : encode_document(comment, Members::kept);
  if (once) remember(*once, comment.id, whole);
  return whole;
}

// Whether the product has a language less than the most, or this one. Each write of a product
// rewrites its row, which has numbers of each language.
bool Edit::has_room(const Comment& comment) const {
  auto language = list_facets[language_facet].parse(comment.language).value_or(any);
  auto touched = products_.find(comment.product);
  if (touched != products_.end()) return touched->second.row.has_room(language);
  auto bytes = txn_.find(db_.products, comment.product);
  return !bytes || decode_product(*bytes).has_room(language);
}

void Edit::put_on_lists(const Comment& comment, const std::string& document) {
  auto& [before, row, index] = product(comment.product).second;
  ++counter(row, comment);
  index.push_back({comment.id, nullptr, keep(comment)});
  txn_.put(db_.ids, comment.id.view(), number_value(row.number));
  txn_.put(db_.comments, comment_key(row.number, comment.id), document);
}

Result<Edited> Edit::update(const Ulid& id, const Patch& patch, const Condition& condition,
                            const Moderate& moderate) {
  TRY(auto found, find(id, condition));
  TRY(auto changed, patched(found.comment, patch));
  if (moderate) TRY_DONE(moderate(found.comment, changed));
  bool joins = changed.published() &&
               (!found.comment.published() || changed.language != found.comment.language);
  if (joins && !has_room(changed)) return too_many_languages();
  bool reported = patch.status && txn_.find(db_.reported, id.view());
  Edited edited{found.document, encode_document(changed), changed.moderation,
                found.comment.moderation, reported};
  if (txn_.find(db_.votes.dbi, id.view()))
    TRY_DONE(check_tally(found.comment.attributes, changed.attributes));
  if (patch.status == CommentStatus::published) txn_.remove(db_.reported, id.view());
  if (patch.status && patch.status != CommentStatus::pending) settle_contacts(id, system_ms());
  if (changed == found.comment) return edited;
  if (auto to = successor(changed.product)) {
    move(found, *to);
    changed.product = std::move(*to);
    edited.after = encode_document(changed);
  }
  events_.add(event_between(found.comment, changed), changed);
  note_revision(found.comment, changed);
  if (found.comment.published() && changed.published()) {
    put_decision(changed);
    replace(found, std::move(changed), edited.after);
  } else {
    take(found);
    put(changed, edited.after);
  }
  return edited;
}

// Changes a comment that stays on lists.
void Edit::replace(FoundComment& found, Comment changed, const std::string& document) {
  txn_.put(db_.comments, comment_key(found.product, changed.id), document);
  auto& [before, row, index] = product(changed.product).second;  // its generation grows in any case
  made_terms_.erase(changed.id);
  if (same_in_index(changed, found.comment) && word_index::same_words(changed, found.comment))
    return;
  --counter(row, found.comment);
  ++counter(row, changed);
  auto* now = keep(std::move(changed));
  index.push_back({now->id, keep(std::move(found.comment)), now});
}

Result<std::string> Edit::remove(const Ulid& id, const Condition& condition) {
  TRY(auto found, find(id, condition));
  auto document = std::move(found.document);
  remove(found);
  return document;
}

void Edit::remove(FoundComment& found) {
  auto id = found.comment.id;
  events_.add(EventType::removed, found.comment);
  keep_id(found.comment);
  forget_customer(found.comment);
  take(found);
  forget_reports(id);
  forget_votes(id);
  forget_request_of(id);
}

void Edit::take(FoundComment& found) {
  const auto id = found.comment.id;
  made_terms_.erase(id);
  if (!found.comment.published()) {
    txn_.remove(held(found.comment.moderation.status), id.view());
    return;
  }
  forget_revision(found.product, id);
  auto& [before, row, index] = product(found.comment.product).second;
  --counter(row, found.comment);
  index.push_back({id, keep(std::move(found.comment)), nullptr});
  txn_.remove(db_.comments, comment_key(found.product, id));
  txn_.remove(db_.ids, id.view());
  txn_.remove(db_.moderation, id.view());
  txn_.remove(db_.reported, id.view());
}

Result<Edit::FoundComment> Edit::find(const Ulid& id, const Condition& condition) const {
  auto found = find(id);
  if (!found) return found;
  TRY_DONE(condition.check(found->comment, found->document));
  return found;
}

// Finds a comment of any status. An error: there is none, or it is damaged.
Result<Edit::FoundComment> Edit::find(const Ulid& id) const {
  auto product = find_product(txn_.get(), db_, id);
  if (!product) {
    if (auto held = find_held(id)) return std::move(*held);
    return no_such_comment();
  }
  auto document = find_document(txn_.get(), db_, *product, id);
  auto comment = document ? decode_document(*document) : std::nullopt;
  if (!comment) return damaged_comment(id);
  if (auto row = txn_.find(db_.moderation, id.view()))
    comment->moderation = decode_moderation(*row);
  return FoundComment{*product, std::string(*document), std::move(*comment)};
}

Edit::Products::value_type& Edit::product(std::string_view name) {
  if (auto at = products_.find(name); at != products_.end()) return *at;
  ProductRow row;
  if (auto bytes = txn_.find(db_.products, name))
    row = decode_product(*bytes);
  else
    row.number = next_product();
  return *products_.emplace(name, Touched{row, row, {}}).first;
}

ProductNumber Edit::next_product() {
  auto kept = txn_.find(db_.meta, "next_product");
  if (!kept || kept->size() != 4) {
    throw std::runtime_error(
        "the store's next product number is damaged: run quire verify --repair");
  }
  ProductNumber number = get_u32(kept->data());
  if (number > max_product) throw std::runtime_error("the store has no product numbers left");
  txn_.put(db_.meta, "next_product", number_value(number + 1));
  return number;
}

std::vector<Edit::Reindexed> Edit::finish() {
  write_products();
  finish_words();
  write_revisions();
  told_ = events_.write();
  return std::move(reindexed_);
}

void Edit::write_products() {
  for (auto& [name, touched] : products_) {
    put_index(touched);
    put_product(name, touched);
  }
  products_.clear();
  kept_.clear();
  made_terms_.clear();
}

void Edit::put_product(const std::string& name, Touched& touched) {
  auto& [before, row, index] = touched;
  const RatingCounts none{};
  put_leaders(name, any, before.ratings(), row.ratings());
  for (const auto& now : row.languages) {
    auto* known = before.find(now.language);
    put_leaders(name, now.language, known ? known->comments : none, now.comments);
  }
  // All languages of `before` are in `row` still.
  std::erase_if(row.languages, [&](const LanguageRow& each) { return each.comments == none; });
  txn_.put(db_.products, name, encode_product(row));
}

void Edit::put_leaders(const std::string& name, FacetValue language, const RatingCounts& before,
                       const RatingCounts& after) {
  if (before == after) return;
  for (auto kind : {LeaderKind::five_star, LeaderKind::average}) {
    auto old = leader_key(kind, language, name, before);
    auto now = leader_key(kind, language, name, after);
    if (old == now) continue;
    if (old) txn_.remove(db_.leaders, *old);
    if (now) txn_.put(db_.leaders, *now, {});
  }
}

void Edit::put_index(Touched& touched) {
  // Bounds the memory for their values, or their terms.
  const std::size_t at_once = words().contents().state == word_index::State::absent ? 50'000 : 8192;
  auto& [before, row, index] = touched;
  if (keyless_ && !index.empty())
    throw std::runtime_error("the index is damaged: run quire verify --repair");
  merge_changes(index);
  ++row.generation;
  Reindexed reindexed{row.number, before.generation, row.generation, {}};
  if (index.size() <= bitmap_index::KeptTotals::max_changes) reindexed.ids.emplace();
  bitmap_index::IndexEdit edit(db_.index, txn_, schema().dropping);
  for (std::span<const Indexed> left = index; !left.empty();) {
    auto some = left.first(std::min(left.size(), at_once));
    left = left.subspan(some.size());
    put_words(row.number, some);
    put_index(row.number, some, edit, reindexed);
  }
  reindexed_.push_back(std::move(reindexed));
}

void Edit::put_index(ProductNumber product, std::span<const Indexed> comments,
                     bitmap_index::IndexEdit& edit, Reindexed& reindexed) {
  std::vector<bitmap_index::Change> changes;
  std::deque<std::vector<FacetNumber>> differing;  // to which changes point
  for (const auto& [id, before, after] : comments) {
    auto old = values(product, before), now = values(product, after);
    std::span<const FacetNumber> differs;
    if (old && now) differs = differing.emplace_back(facets_that_differ(*old, *now));
    bool other_words_alone = old && now && differs.empty();
    if (!other_words_alone) changes.push_back({id, now, differs});
    if (reindexed.ids)
      reindexed.ids->push_back({id, without_texts(std::move(old)), without_texts(std::move(now))});
  }
  if (!changes.empty()) edit.apply(product, changes);
}

std::optional<Edit::Values> Edit::values(ProductNumber product, const Comment* comment) {
  if (!comment) return {};
  bool built = schema().passed(comment_key(product, comment->id));
  return bitmap_index::values_of(db_.index.hash_key, schema().indexed, *comment, built);
}

}  // namespace quire::embedded
