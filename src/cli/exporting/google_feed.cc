#include "cli/exporting/google_feed.h"

#include <fmt/core.h>

#include <cstdio>

#include "base/files.h"
#include "cli/exporting/outputs.h"
#include "cli/terminal/outcome.h"
#include "google/feed.h"
#include "loop/loop.h"
#include "shop/shop.h"

namespace quire::cli {
namespace {

void tell_left_out(std::uint64_t count, const char* what) {
  if (count > 0) fmt::print(stderr, "quire: left out: {} {}\n", count, what);
}

}  // namespace

int export_google_feed(Store& store, const std::string& shop_file, bool zip) {
  shop::Shop shop;
  if (!shop_file.empty()) {
    auto read = shop::read(shop_file);
    if (!read) return fail_by_line(read.error());
    shop = std::move(*read);
  }
  auto files = google::FeedFiles::in(temporary_directory(), google::publisher_of(shop.name));
  if (!files) return fail(files.error());
  auto counts = wait(google::write_feed(store, shop.product_url, **files, [] { return false; }));
  if (!counts) return fail(counts.error());
  if (!zip && (*files)->files() > 1)
    return fail({ErrorCode::invalid_parameter,
                 fmt::format("The feed has {} files, of less than 100 MB each. Write them as one "
                             ".zip: quire export --format google-reviews --zip > reviews.zip",
                             (*files)->files())});
  fmt::print(stderr, "quire: {} reviews\n", counts->reviews);
  tell_left_out(counts->without_text, "ratings without a text");
  tell_left_out(counts->without_url,
                "reviews of products without a url; tell it of the product, or product_url in the "
                "shop file");
  bool whole = print_bytes(zip ? (*files)->zip() : (*files)->xml()) && std::fflush(stdout) == 0;
  if (!whole)
    return fail({ErrorCode::unavailable,
                 "The feed could not be written completely. See whether its disk is full, and "
                 "export again."});
  return tell_of_missing(counts->damaged);
}

}  // namespace quire::cli
