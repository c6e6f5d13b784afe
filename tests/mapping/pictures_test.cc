// Addresses of pictures, in the forms of many systems.
#include "mapping/pictures.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace quire {
namespace {

using Addresses = std::vector<std::string>;

Pictures pictures(std::string_view value, MappedField field = {}) {
  Record record;
  record.members = {{"p", boost::json::parse(value)}};
  field.columns = {"p"};
  return pictures_of(record, field);
}

void expect_pictures(std::string_view value, Addresses addresses, std::uint64_t bad = 0,
                     MappedField field = {}) {
  auto found = pictures(value, field);
  EXPECT_EQ(found.addresses, addresses) << value;
  EXPECT_EQ(found.bad, bad) << value;
}

TEST(Pictures, OfATextAreDivided) {
  const Addresses two = {"https://a.example/1.jpg", "https://a.example/2.jpg"};
  for (auto text : {R"("https://a.example/1.jpg, https://a.example/2.jpg")",
                    R"("https://a.example/1.jpg,https://a.example/2.jpg")",
                    R"(" https://a.example/1.jpg  https://a.example/2.jpg ")",
                    R"("https://a.example/1.jpg\nhttps://a.example/2.jpg\n")",
                    R"("https://a.example/1.jpg;https://a.example/2.jpg;")",
                    R"("https://a.example/1.jpg|https://a.example/2.jpg")",
                    R"("https://a.example/1.jpg,\nhttps://a.example/2.jpg;\r\n")",
                    R"("https://a.example/1.jpg \r\nhttps://a.example/2.jpg \n")",
                    R"("[\"https://a.example/1.jpg\", \"https://a.example/2.jpg\"]")",
                    R"("http://a.example/1.jpg,//a.example/2.jpg")",
                    R"(["https://a.example/1.jpg", "https://a.example/2.jpg", null, ""])"})
    expect_pictures(text, two);
  expect_pictures("\"\"", {});
  expect_pictures("null", {});
  expect_pictures(R"("https://a.example/w_1,h_2;x/1.jpg")", {"https://a.example/w_1,h_2;x/1.jpg"});
}

TEST(Pictures, AreMembersOfObjects) {
  MappedField field{.member = "src.url"};
  expect_pictures(R"([{"src": {"url": "https://a.example/1"}}, {"src": {}}, {"src": {"url": ""}}])",
                  {"https://a.example/1"}, 1, field);
  expect_pictures(R"({"src": {"url": "https://a.example/1"}})", {"https://a.example/1"}, 0, field);
  expect_pictures(R"([{"url": "https://a.example/1"}])", {}, 1);
}

TEST(Pictures, ThatAreNoneAreCounted) {
  expect_pictures(R"("no-address, ftp://a.example/1, https://a.example/1, https://1.2:80/x")",
                  {"https://a.example/1"}, 3);
  expect_pictures("\"https://a.example/" + std::string(2000, 'x') + "\"", {}, 1);
  std::string many = "\"";
  for (int i = 0; i < 10; ++i) many += "https://a.example/" + std::to_string(i) + " ";
  auto found = pictures(many + "\"");
  EXPECT_EQ(found.addresses.size(), 8u);
  EXPECT_EQ(found.further, 2u);
}

TEST(Pictures, WithABlankInTheirAddressAreNotCutOff) {
  for (auto text : {R"("https://a.example/my photo.jpg")", R"("https://a.example/a, b.jpg")"})
    expect_pictures(text, {}, 1);
  expect_pictures(R"("https://a.example/my photo.jpg https://a.example/2.jpg")",
                  {"https://a.example/2.jpg"}, 1);
  expect_pictures(R"("https://a.example/1.jpg , //a.example/2.jpg; ")",
                  {"https://a.example/1.jpg", "https://a.example/2.jpg"});
  expect_pictures(
      R"("/a/1.jpg /a/2.jpg, /a/3.jpg")",
      {"https://b.example/a/1.jpg", "https://b.example/a/2.jpg", "https://b.example/a/3.jpg"}, 0,
      {.replace = {{"/a/", "https://b.example/a/"}}});
}

TEST(Pictures, MayMoveToAnotherHost) {
  MappedField field{.replace = {{"http://old.example/", "https://new.example/a/"}}};
  expect_pictures(R"("http://old.example/1.jpg, http://other.example/2.jpg")",
                  {"https://new.example/a/1.jpg", "https://other.example/2.jpg"}, 0, field);
  EXPECT_EQ(replaced("aaa", "a", "aa"), "aaaaaa");
}

}  // namespace
}  // namespace quire
