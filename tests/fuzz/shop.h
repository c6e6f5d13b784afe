// A shop with a few comments behind the code of the server. No request changes it, so the same
// input always has the same effect.
#pragma once

#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "base/hash.h"
#include "fuzz.h"
#include "http/application/routes.h"
#include "listing/bitmap/indexed.h"
#include "loop/loop.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/validate.h"
#include "service/importer.h"
#include "store/embedded/store.h"
#include "temporary_directory.h"

namespace quire::fuzz {

inline constexpr std::uint64_t now_ms = 1'732'104'060'155;
inline constexpr std::string_view token = "the-token";

// Titles and names try to break out of HTML, XML and JSON.
inline std::vector<Comment> a_few_comments() {
  constexpr const char* rows[] = {
      R"({"product":"42","language":"en","rating":5,"author":"Ann","title":"Fits","text":"Warm & dry,\n\"really\""})",
      R"({"product":"42","language":"en","rating":1,"author":"<zq>","title":"</script><zq>","text":"]]><zq>"})",
      R"({"product":"42","language":"de","rating":4,"author":"\u007f","title":"\uffff","text":"\ud83d\ude00"})",
      R"({"product":"42","language":"fr","rating":3,"text":""})",
      R"({"product":"<zq>/%&'\"","language":"und","rating":2,"title":"' onclick='zq"})"};
  std::vector<Comment> comments;
  RowIds ids;
  for (std::uint64_t i = 0; i < 60; ++i) {
    std::string row = rows[i % std::size(rows)];
    row.insert(1, "\"created_at\":\"" + time_text(now_ms - 1000 * (60 - i)) + "\",");
    Draft draft = std::get<Row>(parse_row(row).value()).draft;
    Ulid id = ids.id(draft);
    comments.push_back(comment_of(id, std::move(draft)));
  }
  for (int i = 0; i < 700; ++i) comments.back().text += "\xF0\x9F\x98\x80";
  return comments;
}

// Some fit the attributes below.
inline const std::vector<Facet>& some_facets() {
  static const std::vector<Facet> facets = {{"verified", FacetType::flag},
                                            {"size", FacetType::choice, {"S", "<zq>", "L"}},
                                            {"country", FacetType::choice},
                                            {"tags", FacetType::tags},
                                            {"helpful", FacetType::number}};
  return facets;
}

// After the ids are made, which depend on attributes: inputs name comments by their ids.
inline std::vector<Comment> with_attributes(std::vector<Comment> comments) {
  for (std::size_t i = 0; i < comments.size(); i += 2) {
    comments[i].attributes = {{"verified", i % 4 == 0},
                              {"size", some_facets()[1].values[i % 3]},
                              {"country", i % 5 ? "DE" : "'\"><zq>&amp;"},
                              {"tags", std::vector<std::string>{"gift", "</script><zq>"}},
                              {"helpful", static_cast<std::int64_t>(i) - 10}};
  }
  return comments;
}

// Reads an embedded store. Writes report success and change nothing.
class FrozenStore : public Store {
 public:
  FrozenStore() : store_(embedded::LmdbStore::open(directory_.path(), Access::write).value()) {
    for (const auto& facet : some_facets()) wait(store_->facets()->declare(facet)).value();
    wait(store_->insert_many(with_attributes(a_few_comments()))).value();
  }

  CostModel costs() const override { return store_->costs(); }
  std::unique_ptr<View> view() override { return store_->view(); }
  Awaitable<Status> ready() override { return store_->ready(); }
  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey>,
                                        CustomerTerms) override {
    co_return encode_document(comment);
  }
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition, Moderate) override {
    auto document = co_await remove(id, std::move(condition));
    if (!document) co_return document.error();
    auto after = encode_document(patched(decode_document(*document).value(), patch).value());
    co_return Edited{std::move(*document), std::move(after)};
  }
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition) override {
    auto view = this->view();
    auto document = co_await view->get(id);
    if (!document) co_return document.error();
    auto met = condition.check(decode_document(*document).value(), *document);
    if (!met) co_return met.error();
    co_return std::string(*document);
  }
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows, ImportTerms) override {
    co_return Imported{.added = rows.size()};
  }
  Awaitable<Status> keep_removed(std::vector<Ulid>) override { co_return Done{}; }

 private:
  TemporaryDirectory directory_;
  std::unique_ptr<embedded::LmdbStore> store_;
};

inline std::shared_ptr<const desk::Tokens> the_tokens() {
  static const auto tokens =
      std::make_shared<const desk::Tokens>(desk::Tokens::parse(sha256_hex(token) + "\n").tokens);
  return tokens;
}

struct Shop {
  Shop() { spdlog::set_level(spdlog::level::off); }

  FrozenStore store;
  Comments comments{store, bitmap::listings(), Seal({Seal::Key{1}}), [] { return now_ms; },
                    [] { return std::array<std::uint8_t, 10>{}; }};
  http::Metrics metrics{http::route_names()};
  http::Application application{
      comments, metrics, {.desk = {.tokens = the_tokens, .rates = {1e9, 1e9}}}};
};

inline Shop& shop() {
  static Shop open;
  return open;
}

}  // namespace quire::fuzz
