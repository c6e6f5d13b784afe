// A store without comments, which tests can make fail. Its counts say that each product has one, so
// that products have pages.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/backend.h"
#include "loop/loop.h"
#include "model/document.h"
#include "store/views.h"

namespace quire::http {

struct Behaviour {
  std::optional<Error> refuses = {};
  bool breaks = false;
  bool full = false;          // no view can be opened
  bool exact = true;          // its counts
  std::uint64_t counted = 1;  // comments of each product
  int inserts = 0;
  std::optional<std::uint64_t> as_of_ms = {};
  std::vector<SchemaFacet> declared = {};
  std::optional<Generation> generation = {};
  Milliseconds takes{0};  // each answer
  int views = 0;          // opened
};

class EmptyView : public ListView {
 public:
  explicit EmptyView(const Behaviour& behaviour) : behaviour_(behaviour) {}

  Awaitable<Result<Counts>> counts(std::string_view) override {
    Counts counts;
    counts.exact = behaviour_.exact;
    counts.add({1, 1}, behaviour_.counted);
    return answer(counts);
  }
  Awaitable<Result<std::vector<Slice>>> read(std::string_view, Order, std::span<const Range> ranges,
                                             bool) override {
    return answer(std::vector<Slice>(ranges.size(), Slice{{}, true}));
  }
  Awaitable<Status> documents(std::string_view, std::span<Entry>) override {
    return answer(Done{});
  }
  Awaitable<Result<std::string_view>> get(const Ulid&) override {
    co_return Error{ErrorCode::not_found, "There is no such comment."};
  }
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view, std::size_t) override {
    return answer(std::vector<ProductTotal>{});
  }
  Awaitable<Result<std::vector<Leader>>> leaders(Leaders, FacetValue, std::size_t) override {
    return answer(std::vector<Leader>{});
  }
  Awaitable<Result<Slice>> scan(std::optional<Ulid>, std::size_t) override {
    return answer(Slice{{}, true});
  }
  Awaitable<Result<std::optional<std::uint64_t>>> as_of() override {
    return answer(behaviour_.as_of_ms);
  }
  Awaitable<Result<std::shared_ptr<const Schema>>> schema() override {
    return answer(std::make_shared<const Schema>(behaviour_.declared));
  }
  std::string start_key(std::string_view, const Cell&, const Ulid&, std::size_t) override {
    return "{}";
  }

 private:
  template <class T>
  Awaitable<Result<T>> answer(T value) {
    if (behaviour_.takes.count() > 0) co_await pause(behaviour_.takes);
    if (behaviour_.breaks) throw std::runtime_error("the disk burns");
    if (behaviour_.refuses) co_return *behaviour_.refuses;
    co_return value;
  }

  const Behaviour& behaviour_;
};

class EmptyStore : public Store {
 public:
  CostModel costs() const override { return costs_; }
  std::unique_ptr<View> view() override {
    ++behaviour.views;
    if (behaviour.full) throw Unavailable("no view is left");
    return std::make_unique<EmptyView>(behaviour);
  }
  std::optional<Generation> generation(std::string_view) override { return behaviour.generation; }
  Awaitable<Status> ready() override {
    if (behaviour.refuses) co_return *behaviour.refuses;
    co_return Done{};
  }
  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey>,
                                        CustomerTerms) override {
    ++behaviour.inserts;
    co_return encode_document(comment);
  }
  Awaitable<Result<Edited>> update(Ulid, Patch, Condition, Moderate) override {
    co_return Error{ErrorCode::not_found, "There is no such comment."};
  }
  Awaitable<Result<std::string>> remove(Ulid, Condition) override { co_return std::string(); }
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows, ImportTerms) override {
    if (behaviour.refuses) co_return *behaviour.refuses;
    co_return Imported{.added = rows.size()};
  }
  Awaitable<Status> keep_removed(std::vector<Ulid>) override { co_return Done{}; }

  Behaviour behaviour;

 private:
  CostModel costs_{1, {1, 1, 1, 1}, 0};
};

}  // namespace quire::http
