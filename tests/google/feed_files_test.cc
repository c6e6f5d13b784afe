// The files of a feed, below a size, and the .zip of them.
#include "google/feed_files.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <random>

#include "google/review_xml.h"
#include "google/schema.h"
#include "temporary_directory.h"

namespace quire::google {
namespace {

std::uint64_t number_at(std::string_view bytes, std::size_t at, int size) {
  std::uint64_t out = 0;
  for (int i = size; i > 0; --i)
    out = out << 8 | static_cast<std::uint8_t>(bytes.at(at + static_cast<std::size_t>(i) - 1));
  return out;
}

std::string inflated(std::string_view packed, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -15), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  return out;
}

// The files of a .zip, by the directory at its end.
std::map<std::string, std::string> files_in(std::string_view zip) {
  std::map<std::string, std::string> files;
  auto end = zip.size() - 22;
  EXPECT_EQ(zip.substr(end, 4), "PK\x05\x06");
  auto at = number_at(zip, end + 16, 4);
  for (auto count = number_at(zip, end + 10, 2); count > 0; --count) {
    EXPECT_EQ(zip.substr(at, 4), "PK\x01\x02");
    auto check = number_at(zip, at + 16, 4), packed = number_at(zip, at + 20, 4);
    auto size = number_at(zip, at + 24, 4), length = number_at(zip, at + 28, 2);
    auto offset = number_at(zip, at + 42, 4);
    std::string name(zip.substr(at + 46, length));
    EXPECT_EQ(zip.substr(offset, 4), "PK\x03\x04");
    EXPECT_EQ(number_at(zip, offset + 14, 4), check);
    EXPECT_EQ(zip.substr(offset + 30, length), name);
    auto text = inflated(zip.substr(offset + 30 + length, packed), size);
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())),
              check);
    files[name] = std::move(text);
    at += 46 + length;
  }
  EXPECT_EQ(at, end);
  return files;
}

std::string review_of(const std::string& text, std::uint64_t number) {
  Comment comment{.id = Ulid::make(number, {}), .product = "42", .rating = 5, .text = text};
  return review_xml(comment,
                    {.id = "42", .url = "https://shop.example/p/42", .facts = {.name = "Lamp"}});
}

TEST(FeedFiles, AreBelowTheSizeAndHaveAllReviews) {
  TemporaryDirectory directory;
  std::mt19937 random(1);
  for (std::uint64_t max : {1'500ULL, 4'000ULL, 100'000ULL}) {
    auto files = FeedFiles::in(directory.path(), "Shop", max).value();
    std::string all;
    for (std::uint64_t i = 0; i < 60; ++i) {
      auto review = review_of(std::string(1 + random() % 600, 'x'), i);
      files->add(review);
      all += review;
    }
    ASSERT_TRUE(files->finish());
    auto unpacked = files_in(files->zip());
    ASSERT_EQ(unpacked.size(), files->files());
    std::string found;
    for (std::uint64_t i = 1; i <= files->files(); ++i) {
      const auto& text = unpacked.at("google-reviews-" + std::to_string(i) + ".xml");
      EXPECT_LE(text.size(), max);
      EXPECT_EQ(fault_of(text), "");
      auto begin = text.find(reviews_begin) + reviews_begin.size();
      found += text.substr(begin, text.rfind(reviews_end) - begin);
    }
    EXPECT_EQ(found, all);
    EXPECT_EQ(files->xml(), files->files() == 1 ? unpacked.begin()->second : "");
    EXPECT_EQ(files->files() == 1, max == 100'000ULL);
  }
}

TEST(FeedFiles, WithoutReviewsAreValid) {
  TemporaryDirectory directory;
  auto files = FeedFiles::in(directory.path(), "Shop").value();
  ASSERT_TRUE(files->finish());
  EXPECT_EQ(fault_of(files->xml()), "");
  EXPECT_EQ(files->xml().find("<reviews>"), std::string_view::npos);
  EXPECT_EQ(files_in(files->zip()).at("google-reviews-1.xml"), files->xml());
}

TEST(FeedFiles, NeedADirectory) {
  auto files = FeedFiles::in("/nowhere/at/all", "Shop");
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace quire::google
