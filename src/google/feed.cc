#include "google/feed.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/try.h"
#include "google/review_xml.h"
#include "model/document.h"
#include "shop/shop.h"
#include "store/views.h"

namespace quire::google {
namespace {

constexpr std::size_t comments_a_read = 1'000;
constexpr std::size_t max_known = 10'000;  // products

// The products of comments, which come together: a comment's product had others just before.
class Products {
 public:
  Products(View& view, std::string product_url)
      : view_(view), product_url_(std::move(product_url)) {}

  // Asks for those that are not known yet.
  Awaitable<Status> learn(const std::vector<Comment>& comments) {
    if (known_.size() > max_known) known_.clear();
    std::set<std::string> names;
    for (const auto& comment : comments)
      if (!known_.contains(comment.product)) names.insert(comment.product);
    std::vector<std::string> fresh(names.begin(), names.end());
    if (fresh.empty()) co_return Done{};
    CO_TRY(auto facts, co_await view_.facts(fresh));
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      FeedProduct product{.id = fresh[i], .facts = facts[i].value_or(ProductFacts{})};
      product.url = product.facts.url;
      if (product.url.empty() && !product_url_.empty())
        product.url = shop::address_for(product_url_, product.id);
      if (product.facts.name.empty()) product.facts.name = product.id;
      known_.insert_or_assign(std::move(fresh[i]), std::move(product));
    }
    co_return Done{};
  }
  const FeedProduct& operator[](const std::string& product) const { return known_.at(product); }

 private:
  View& view_;
  const std::string product_url_;
  std::map<std::string, FeedProduct> known_;
};

std::vector<Comment> comments_in(const std::vector<Entry>& entries, FeedCounts& counts) {
  std::vector<Comment> out;
  for (const auto& entry : entries) {
    auto comment = is_damaged(entry.document) ? std::nullopt : decode_document(entry.document);
    if (comment)
      out.push_back(std::move(*comment));
    else
      ++counts.damaged;
  }
  return out;
}

void add(const Comment& comment, const FeedProduct& product, FeedFiles& files, FeedCounts& counts) {
  if (!comment.published()) return;
  if (product.url.empty()) {
    ++counts.without_url;
  } else if (!has_content(comment)) {
    ++counts.without_text;
  } else {
    files.add(review_xml(comment, product));
    ++counts.reviews;
  }
}

}  // namespace

Awaitable<Result<FeedCounts>> write_feed(Store& store, std::string product_url, FeedFiles& files,
                                         std::function<bool()> stopped) {
  auto view = store.view();
  Products products(*view, std::move(product_url));
  FeedCounts counts;
  std::optional<Ulid> after;
  for (bool end = false; !end;) {
    if (stopped()) co_return Error{ErrorCode::unavailable, "The making of the feed was stopped."};
    CO_TRY(auto slice, co_await view->scan(after, comments_a_read));
    auto comments = comments_in(slice.entries, counts);
    CO_TRY_DONE(co_await products.learn(comments));
    for (const auto& comment : comments) add(comment, products[comment.product], files, counts);
    if (!slice.entries.empty()) after = slice.entries.back().id;
    end = slice.end;
    view->release();
  }
  counts.damaged += view->left_out();
  CO_TRY_DONE(files.finish());
  co_return counts;
}

}  // namespace quire::google
