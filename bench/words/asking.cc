// Questions in words and facets: the total, the first page and the page in the middle, from the
// index and from kept totals.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "listing/bitmap/indexed.h"
#include "listing/listing.h"
#include "loop/awaitable.h"
#include "loop/loop.h"
#include "measuring.h"
#include "model/entry.h"
#include "model/filter.h"
#include "must.h"
#include "quire/page.h"
#include "store/embedded/databases.h"
#include "store/embedded/view.h"

namespace quire::bench {
namespace {

constexpr std::size_t kept_bytes = 64 << 20;
constexpr std::size_t page_size = 20;

struct Answer {
  std::uint64_t total = 0;
  std::vector<std::string> ids = {};  // as JSON
  double micros = 0;
};

class Asking {
 public:
  explicit Asking(const embedded::Databases& databases) : databases_(databases) {}

  // The page of this question that begins with the match `skip`, as a request finds it.
  Answer page(const Query& query, std::uint64_t skip) {
    auto begun = cpu_micros();
    embedded::LmdbView view(databases_, totals_);
    auto answer = wait(page_of(view, query, skip));
    answer.micros = cpu_micros() - begun;
    return answer;
  }
  Answer total(const Query& query) {
    auto begun = cpu_micros();
    embedded::LmdbView view(databases_, totals_);
    Answer answer{.total = wait(total_of(view, query))};
    answer.micros = cpu_micros() - begun;
    return answer;
  }
  void forget() { totals_.drop_all(); }

 private:
  Awaitable<std::unique_ptr<Listing>> open(View& view, const Query& query, Filter& filter) {
    auto schema = must(co_await view.schema());
    filter = must(make_filter(query, *schema));
    auto counts = must(co_await view.counts(query.product));
    Opening opening{.limit = page_size};
    co_return must(co_await maker_->open(view, filter, {}, counts, opening));
  }
  Awaitable<std::uint64_t> total_of(View& view, const Query& query) {
    Filter filter;
    auto listing = co_await open(view, query, filter);
    co_return listing->total().value();
  }
  Awaitable<Answer> page_of(View& view, const Query& query, std::uint64_t skip) {
    Filter filter;
    auto listing = co_await open(view, query, filter);
    std::optional<Position> from;
    if (skip > 0) from = must(co_await listing->at(skip));
    auto rows = must(co_await listing->read(from, Direction::forward));
    Answer answer{.total = listing->total().value()};
    for (const auto& row : rows.entries)
      answer.ids.push_back(fmt::format(R"("{}")", row.id.text()));
    co_return answer;
  }

  const embedded::Databases& databases_;
  bitmap_index::KeptTotals totals_{kept_bytes};
  std::unique_ptr<ListingMaker> maker_ = bitmap::listings();
};

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Query query_of(const std::string& line) {
  Query query{.product = "product-1", .words = line.substr(0, line.find('\t'))};
  if (line.ends_with("\tfacets")) {
    query.ratings = {4, 5};
    query.facets.push_back({.facet = "verified", .any_of = {"true"}});
  }
  return query;
}

// The first time: nothing is kept of any question.
void ask(Asking& asking, const std::string& line, int rounds) {
  auto query = query_of(line);
  auto middle = asking.total(query).total / 2 / page_size * page_size;
  std::vector<double> total, first, deep, kept;
  Answer first_page, deep_page;
  for (int round = 0; round < rounds; ++round) {
    asking.forget();
    total.push_back(asking.total(query).micros);
    asking.forget();
    first_page = asking.page(query, 0);
    first.push_back(first_page.micros);
    asking.forget();
    deep_page = asking.page(query, middle);
    deep.push_back(deep_page.micros);
    auto again = asking.page(query, middle);
    if (again.ids != deep_page.ids) throw std::runtime_error(line + ": another page from totals");
    kept.push_back(again.micros);
  }
  fmt::print(
      R"({{"total":{},"middle":{},"first":[{}],"deep":[{}],"micros":{{"total":{:.2f},"first":{:.2f},"middle":{:.2f},"kept":{:.2f}}}}})"
      "\n",
      first_page.total, middle, fmt::join(first_page.ids, ","), fmt::join(deep_page.ids, ","),
      median(total), median(first), median(deep), median(kept));
}

}  // namespace

void ask(const std::string& directory, int rounds) {
  auto databases = must(embedded::open_databases(directory, Access::read));
  Asking asking(*databases);
  for (std::string line; std::getline(std::cin, line);) ask(asking, line, rounds);
}

}  // namespace quire::bench
