// A store in memory that keeps lists, as a table does.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/document.h"
#include "model/validate.h"
#include "store/ports.h"
#include "store/views.h"

namespace quire {

// The comments of a moment.
struct PlainState {
  using Documents = std::map<Ulid, std::string>;
  std::map<std::string, Documents, std::less<>> products;
  std::map<Ulid, std::string> ids;  // the product of each comment
  std::set<Ulid> lost;              // comments that are listed, and have no document
  std::shared_ptr<const Schema> schema = std::make_shared<Schema>();
};

class PlainView : public ListView {
 public:
  explicit PlainView(std::shared_ptr<const PlainState> state) : state_(std::move(state)) {}

  Awaitable<Result<std::shared_ptr<const Schema>>> schema() override { co_return state_->schema; }

  Awaitable<Result<Counts>> counts(std::string_view product) override {
    std::map<Cell, std::uint64_t> cells;
    for (const auto& [id, document] : of(product)) ++cells[document_cell(document)];
    Counts counts;
    for (const auto& [cell, comments] : cells) counts.add(cell, comments);
    co_return counts;
  }

  Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                             std::span<const Range> ranges, bool) override {
    std::vector<Slice> slices;
    for (const auto& range : ranges) {
      const auto& all = of(product);
      slices.push_back(order == Order::oldest_first
                           ? slice(order, range, all.begin(), all.end())
                           : slice(order, range, all.rbegin(), all.rend()));
    }
    co_return slices;
  }

  Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) override {
    for (auto& entry : entries) {
      auto found = of(product).find(entry.id);
      if (found != of(product).end()) entry.document = document_of(entry.id, found->second);
    }
    co_return Done{};
  }

  Awaitable<Result<std::string_view>> get(const Ulid& id) override {
    auto found = state_->ids.find(id);
    if (found == state_->ids.end())
      co_return Error{ErrorCode::not_found, "There is no comment with this id."};
    co_return std::string_view(of(found->second).at(id));
  }

  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view, std::size_t) override {
    co_return std::vector<ProductTotal>();
  }
  Awaitable<Result<std::vector<Leader>>> leaders(Leaders, FacetValue, std::size_t) override {
    co_return std::vector<Leader>();
  }
  Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) override {
    Slice slice{{}, true};
    auto at = after ? state_->ids.upper_bound(*after) : state_->ids.begin();
    for (; at != state_->ids.end() && slice.entries.size() < limit; ++at)
      slice.entries.push_back({at->first, of(at->second).at(at->first)});
    slice.end = at == state_->ids.end();
    co_return slice;
  }
  std::string start_key(std::string_view, const Cell&, const Ulid& after, std::size_t) override {
    return '"' + after.text() + '"';
  }

 protected:
  const PlainState::Documents& of(std::string_view product) const {
    static const PlainState::Documents none;
    auto found = state_->products.find(product);
    return found == state_->products.end() ? none : found->second;
  }

 private:
  // Whether the part of the list has this comment of the list.
  virtual bool has(const Range&, const Ulid&) const { return true; }

  std::string_view document_of(const Ulid& id, const std::string& document) const {
    return state_->lost.contains(id) ? std::string_view() : std::string_view(document);
  }

  template <class Iterator>
  Slice slice(Order order, const Range& range, Iterator at, Iterator end) const {
    Slice slice{{}, true};
    for (; at != end; ++at) {
      const auto& [id, document] = *at;
      if (range.after && !precedes(*range.after, id, order)) continue;
      if (!covers(range.list, document_cell(document)) || !has(range, id)) continue;
      if (slice.entries.size() == range.limit) {
        slice.end = false;
        break;
      }
      slice.entries.push_back({id, document_of(id, document)});
    }
    return slice;
  }

  const std::shared_ptr<const PlainState> state_;
};

// Writes make a new state; views keep the old one. For one thread.
class PlainStore : public Store, public FacetPort {
 public:
  // Reading the list of all is cheaper than reading others.
  CostModel costs() const override { return {0.35, {0.03, 0.08, 0.08, 0.08}, 0}; }
  std::unique_ptr<View> view() override { return std::make_unique<PlainView>(state_); }
  Awaitable<Status> ready() override { co_return Done{}; }

  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey>,
                                        CustomerTerms = {}) override {
    auto document = encode_document(comment);
    std::vector<Comment> one;
    one.push_back(std::move(comment));
    auto added = co_await insert_many(std::move(one));
    if (!added) co_return added.error();
    co_return document;
  }
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows, ImportTerms = {}) override {
    auto next = copy();
    Imported imported;
    std::vector<Comment> comments;
    for (const auto& row : rows) {
      const auto& comment = comments.emplace_back(row.comment);
      bool fresh = next->ids.try_emplace(comment.id, comment.product).second;
      if (fresh) next->products[comment.product].emplace(comment.id, encode_document(comment));
      imported.count(fresh ? &Imported::added : &Imported::known, comment.id);
    }
    commit(std::move(next), comments);
    co_return imported;
  }
  Awaitable<Status> keep_removed(std::vector<Ulid>) override { co_return Done{}; }
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition = {}, Moderate = {}) override {
    if (!state_->ids.contains(id)) co_return missing();
    auto next = copy();
    auto& document = next->products.at(next->ids.at(id)).at(id);
    auto comment = patched(decode_document(document).value(), patch);
    if (!comment) co_return comment.error();
    auto before = std::exchange(document, encode_document(*comment));
    Edited edited{before, document};
    commit(std::move(next), {*comment});
    co_return edited;
  }
  Awaitable<Result<std::string>> remove(Ulid id, Condition = {}) override {
    if (!state_->ids.contains(id)) co_return missing();
    auto next = copy();
    Comment comment{.id = id, .product = next->ids.at(id)};
    auto& documents = next->products.at(comment.product);
    auto gone = documents.at(id);
    documents.erase(id);
    next->ids.erase(id);
    commit(std::move(next), {comment});
    co_return gone;
  }
  FacetPort* facets() override { return this; }
  Awaitable<Status> drop(std::string) override { co_return Done{}; }
  Awaitable<Status> declare(Facet facet) override {
    auto next = copy();
    auto declared = next->schema->facets();
    declared.erase(declared.begin(), declared.begin() + first_declared_number);
    declared.push_back({next_facet_++, {std::move(facet)}});
    next->schema = std::make_shared<Schema>(std::move(declared));
    commit(std::move(next), everything());
    co_return Done{};
  }

  // The document of this comment is damaged from now on.
  void damage(const Ulid& id) {
    auto next = copy();
    next->products.at(next->ids.at(id)).at(id) = damaged_document();
    state_ = std::move(next);
  }
  // The comment is listed from now on, and has no document.
  void lose(const Ulid& id) {
    auto next = copy();
    next->lost.insert(id);
    state_ = std::move(next);
  }

 protected:
  // The state becomes `next`, where these comments are new, changed or gone.
  virtual void commit(std::shared_ptr<PlainState> next, const std::vector<Comment>& changed) {
    (void)changed;
    state_ = std::move(next);
  }
  const std::shared_ptr<const PlainState>& state() const { return state_; }
  void become(std::shared_ptr<const PlainState> next) { state_ = std::move(next); }

 private:
  static Error missing() { return {ErrorCode::not_found, "There is no comment with this id."}; }
  std::shared_ptr<PlainState> copy() const { return std::make_shared<PlainState>(*state_); }
  std::vector<Comment> everything() const {
    std::vector<Comment> all;
    for (const auto& [id, product] : state_->ids) {
      auto decoded = decode_document(state_->products.at(product).at(id));
      if (decoded) all.push_back(std::move(*decoded));
    }
    return all;
  }

  std::shared_ptr<const PlainState> state_ = std::make_shared<PlainState>();
  FacetNumber next_facet_ = first_declared_number;
};

}  // namespace quire
