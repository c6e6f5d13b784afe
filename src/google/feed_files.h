// The files of the feed: each has less than 100 MB, as Google asks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "google/out_file.h"
#include "google/zip.h"
#include "quire/result.h"

namespace quire::google {

// Not thread-safe while reviews are added.
class FeedFiles {
 public:
  static constexpr std::uint64_t max_file = 99'000'000;  // bytes

  // `directory`: of the files, which have no names. `max_bytes`: of each. unavailable.
  static Result<std::unique_ptr<FeedFiles>> in(const std::string& directory, std::string publisher,
                                               std::uint64_t max_bytes = max_file);

  void add(std::string_view review);
  // Nothing is added afterwards. unavailable: the files could not be written.
  Status finish();

  // After finish(); the bytes live as long as this.
  std::uint64_t files() const { return files_; }
  // Empty where there are several files.
  std::string_view xml() const { return xml_.bytes(); }
  // All files, as google-reviews-1.xml and so on.
  std::string_view zip() const { return zip_file_.bytes(); }

 private:
  FeedFiles(OutFile xml, OutFile zip, std::string publisher, std::uint64_t max_bytes);
  void begin();
  void end();
  void write(std::string_view bytes);

  OutFile xml_, zip_file_;
  Zip zip_;
  const std::string publisher_;
  const std::uint64_t max_bytes_;
  std::uint64_t files_ = 0, size_ = 0;  // of the present file
  bool has_reviews_ = false;            // the present file
};

}  // namespace quire::google
