#include "google/feed_files.h"

#include <utility>

#include "base/try.h"
#include "google/review_xml.h"

namespace quire::google {

Result<std::unique_ptr<FeedFiles>> FeedFiles::in(const std::string& directory,
                                                 std::string publisher, std::uint64_t max_bytes) {
  TRY(auto xml, OutFile::in(directory));
  TRY(auto zip, OutFile::in(directory));
  return std::unique_ptr<FeedFiles>(
      new FeedFiles(std::move(xml), std::move(zip), std::move(publisher), max_bytes));
}

FeedFiles::FeedFiles(OutFile xml, OutFile zip, std::string publisher, std::uint64_t max_bytes)
    : xml_(std::move(xml)),
      zip_file_(std::move(zip)),
      zip_(zip_file_),
      publisher_(std::move(publisher)),
      max_bytes_(max_bytes) {
  begin();
}

// The second file leaves the .zip alone.
void FeedFiles::begin() {
  size_ = 0;
  has_reviews_ = false;
  if (++files_ == 2) xml_.clear();
  zip_.begin("google-reviews-" + std::to_string(files_) + ".xml");
  write(feed_head(publisher_));
}

void FeedFiles::write(std::string_view bytes) {
  size_ += bytes.size();
  zip_.add(bytes);
  if (files_ == 1) xml_.add(bytes);
}

// An element without reviews is not valid.
void FeedFiles::end() {
  if (has_reviews_) write(reviews_end);
  write(feed_tail);
  zip_.end();
}

void FeedFiles::add(std::string_view review) {
  auto rest = review.size() + reviews_end.size() + feed_tail.size();
  if (has_reviews_ && size_ + rest > max_bytes_) {
    end();
    begin();
  }
  if (!std::exchange(has_reviews_, true)) write(reviews_begin);
  write(review);
}

Status FeedFiles::finish() {
  end();
  TRY_DONE(xml_.finish());
  return zip_.finish();
}

}  // namespace quire::google
