// The arrows that must never exist, checked on the project's files; and the checker, on made-up
// ones.
#include "architecture/includes.h"

#include <gtest/gtest.h>

#include <set>

namespace quire {
namespace {

TEST(Includes, OfTheProjectFollowItsDesign) {
  for (const auto& file : sources({"include", "src"}, {".h", ".cc"})) {
    for (const auto& include : includes_of(file)) {
      EXPECT_EQ(forbidden(file.path, include), "") << file.path << " includes " << include.name;
    }
  }
}

TEST(Includes, OfTheProjectsOwnHeadersAreQuotedAndOthersAreNot) {
  std::set<std::string> own;
  for (const auto& file : sources({"include", "src"}, {".h"})) {
    own.insert(file.path.substr(file.path.find('/') + 1));
  }
  for (const auto& file : sources({"include", "src"}, {".h", ".cc"})) {
    for (const auto& include : includes_of(file)) {
      EXPECT_EQ(include.quoted, own.contains(include.name)) << file.path << ": " << include.name;
    }
  }
}

TEST(Includes, WereFoundInEveryPart) {
  std::set<std::string> parts;
  for (const auto& file : sources({"include", "src"}, {".h", ".cc"})) {
    if (!includes_of(file).empty()) parts.insert(part_of(file.path));
  }
  for (auto part : {"include", "base", "model", "plan", "merge", "cursor", "lmdb", "dynamodb",
                    "store", "store/embedded", "service", "app", "cli"}) {
    EXPECT_TRUE(parts.contains(part)) << part;
  }
}

TEST(Includes, AreReadHoweverTheyAreSpaced) {
  SourceFile file{"src/plan/x.cc",
                  {"#include <map>", "  #  include \"model/filter.h\" // why",
                   "// #include <random>", "#define include <ctime>", "#include"}};
  auto found = includes_of(file);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "map");
  EXPECT_FALSE(found[0].quoted);
  EXPECT_EQ(found[1].name, "model/filter.h");
  EXPECT_TRUE(found[1].quoted);
}

struct Case {
  std::string_view path;
  std::string_view include;
};

Include include_of(std::string_view text) {
  return {std::string(text.substr(1, text.size() - 2)), text[0] == '"'};
}

class ForbiddenInclude : public testing::TestWithParam<Case> {};
TEST_P(ForbiddenInclude, IsFound) {
  EXPECT_NE(forbidden(GetParam().path, include_of(GetParam().include)), "")
      << GetParam().path << " " << GetParam().include;
}

INSTANTIATE_TEST_SUITE_P(
    , ForbiddenInclude,
    testing::Values(
        Case{"src/plan/x.cc", "<boost/asio.hpp>"}, Case{"src/merge/x.h", "<lmdb.h>"},
        Case{"src/model/x.cc", "<curl/curl.h>"}, Case{"src/cursor/x.cc", "<sys/random.h>"},
        Case{"src/plan/x.cc", "<chrono>"}, Case{"src/merge/x.cc", "<random>"},
        Case{"src/model/x.cc", "<fstream>"}, Case{"src/model/x.cc", "\"base/clock.h\""},
        Case{"src/model/x.cc", "<openssl/evp.h>"}, Case{"src/merge/x.cc", "<fmt/format.h>"},
        Case{"src/merge/x.cc", "\"plan/plan.h\""}, Case{"src/plan/x.cc", "\"merge/merge.h\""},
        Case{"src/model/x.cc", "\"store/store.h\""},
        Case{"src/cursor/x.cc", "\"lmdb/environment.h\""},
        Case{"src/base/x.h", "\"quire/comment.h\""}, Case{"src/base/x.h", "\"model/filter.h\""},
        Case{"src/base/x.cc", "<boost/json.hpp>"}, Case{"src/base/x.cc", "<lmdb.h>"},
        Case{"src/store/embedded/x.cc", "\"store/dynamodb/client.h\""},
        Case{"src/store/embedded/x.cc", "\"page_index/redis/index.h\""},
        Case{"src/page_index/lmdb/x.cc", "\"store/embedded/view.h\""},
        Case{"src/store/store.h", "\"store/embedded/store.h\""},
        Case{"src/service/x.cc", "\"store/embedded/store.h\""},
        Case{"src/http/x.cc", "\"store/embedded/store.h\""},
        Case{"src/projection/x.cc", "\"page_index/redis/index.h\""},
        Case{"src/service/x.cc", "\"http/server.h\""}, Case{"src/http/x.cc", "\"plan/plan.h\""},
        Case{"src/http/x.cc", "\"merge/merge.h\""}, Case{"src/http/x.cc", "\"store/store.h\""},
        Case{"src/http/x.cc", "\"page_index/ranks.h\""},
        Case{"src/projection/x.h", "\"plan/plan.h\""},
        Case{"src/projection/x.h", "\"merge/merge.h\""},
        Case{"src/projection/x.h", "\"cursor/cursor.h\""},
        Case{"src/store/embedded/x.cc", "\"service/comments.h\""},
        Case{"src/store/dynamodb/stream/x.cc", "\"store/embedded/view.h\""},
        Case{"src/cli/x.cc", "\"store/dynamodb/comments/store.h\""},
        Case{"src/http/html/x.cc", "\"store/store.h\""},
        Case{"src/service/x.cc", "\"listing/lists/maker.h\""},
        Case{"src/service/x.cc", "\"page_index/ranks.h\""},
        Case{"src/listing/lists/x.cc", "\"listing/bitmap/x.h\""},
        Case{"src/listing/lists/x.cc", "\"cursor/cursor.h\""},
        Case{"src/listing/listing.h", "\"listing/lists/lists.h\""},
        Case{"src/change/x.h", "\"projection/source.h\""},
        Case{"src/page_index/x.h", "\"projection/source.h\""},
        Case{"src/page_index/sql/x.h", "\"store/store.h\""},
        Case{"src/projection/x.cc", "\"store/store.h\""},
        Case{"src/app/x.cc", "\"http/server/server.h\""},
        Case{"src/lmdb/x.cc", "\"store/store.h\""},
        Case{"src/dynamodb/x.cc", "\"page_index/ranks.h\""},
        Case{"include/quire/x.h", "\"model/filter.h\""},
        Case{"include/quire/x.h", "<boost/json.hpp>"}));

class AllowedInclude : public testing::TestWithParam<Case> {};
TEST_P(AllowedInclude, IsLetPass) {
  EXPECT_EQ(forbidden(GetParam().path, include_of(GetParam().include)), "");
}

INSTANTIATE_TEST_SUITE_P(
    , AllowedInclude,
    testing::Values(Case{"src/plan/x.cc", "\"model/counts.h\""},
                    Case{"src/plan/x.cc", "<fmt/format.h>"},
                    Case{"src/model/x.cc", "<boost/json.hpp>"},
                    Case{"src/model/x.cc", "\"quire/page.h\""},
                    Case{"src/cursor/x.cc", "<openssl/evp.h>"}, Case{"src/merge/x.cc", "<vector>"},
                    Case{"src/base/x.cc", "<sys/random.h>"}, Case{"src/base/x.cc", "<chrono>"},
                    Case{"src/base/x.cc", "\"quire/ulid.h\""},
                    Case{"src/store/embedded/x.cc", "\"store/embedded/view.h\""},
                    Case{"src/store/embedded/x.cc", "\"store/store.h\""},
                    Case{"src/store/embedded/x.cc", "\"lmdb/environment.h\""},
                    Case{"src/store/embedded/x.cc", "\"plan/plan.h\""},
                    Case{"src/app/x.cc", "\"store/embedded/store.h\""},
                    Case{"src/app/x.cc", "\"store/dynamodb/provision/table.h\""},
                    Case{"src/store/dynamodb/stream/x.cc", "\"store/dynamodb/items/layout.h\""},
                    Case{"src/store/dynamodb/stream/x.cc", "\"projection/source.h\""},
                    Case{"src/listing/lists/x.cc", "\"listing/listing.h\""},
                    Case{"src/http/html/x.cc", "\"http/message.h\""},
                    Case{"src/service/x.cc", "\"store/store.h\""},
                    Case{"src/http/x.cc", "\"service/comments.h\""},
                    Case{"src/projection/x.cc", "\"page_index/ranks.h\""}));

}  // namespace
}  // namespace quire
