#include "page_index/redis/client/reply.h"

#include <gtest/gtest.h>

namespace quire::redis {
namespace {

// A reply as redis-cli prints it, on one line.
std::string text(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::nothing:
      return "nil";
    case Reply::Kind::number:
      return std::to_string(reply.number);
    case Reply::Kind::bytes:
      return "\"" + reply.bytes + "\"";
    case Reply::Kind::refusal:
      return "(" + reply.bytes + ")";
    case Reply::Kind::list:
      break;
  }
  std::string list;
  for (const auto& each : reply.list) list += text(each) + " ";
  return "[" + list + "]";
}

// Parses `bytes`, which come in pieces of `piece` bytes. Returns all replies, then the trouble, if
// any.
std::string read(std::string_view bytes, std::size_t piece) {
  Replies replies;
  std::string found;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    replies.feed(bytes.substr(0, piece));
    for (auto reply = replies.next(); reply; reply = replies.next()) found += text(*reply) + ";";
    if (!replies.trouble().empty()) break;
  }
  return found + replies.trouble();
}

TEST(Replies, AreParsedFromPiecesOfAnySize) {
  std::string bytes = "+OK\r\n-ERR no\r\n:-9007199254740993\r\n$-1\r\n$0\r\n\r\n$5\r\na\r\nb";
  bytes += '\0';
  bytes += "\r\n*-1\r\n*0\r\n*3\r\n*2\r\n:1\r\n$1\r\nx\r\n$-1\r\n*1\r\n*1\r\n-BUSY\r\n:7\r\n";
  std::string wanted = "\"OK\";(ERR no);-9007199254740993;nil;\"\";\"a\r\nb";
  wanted += '\0';
  wanted += "\";nil;[];[[1 \"x\" ] nil [[(BUSY) ] ] ];7;";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece)
    ASSERT_EQ(read(bytes, piece), wanted) << piece;
}

TEST(Replies, InOtherProtocolsAreTrouble) {
  for (std::string odd : {"HTTP/1.1 400 Bad Request\r\n\r\n", "\r\n", "SSH-2.0\r\n", "$x\r\n",
                          "*x\r\n", "$-2\r\n", "*-2\r\n", "*99999999999\r\n",
                          "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n"}) {
    for (std::size_t piece : {std::size_t{1}, odd.size()}) {
      EXPECT_EQ(read(odd, piece), "this is not Redis's protocol") << odd;
      EXPECT_EQ(read("*2\r\n:1\r\n" + odd, piece), "this is not Redis's protocol") << odd;
    }
  }
}

TEST(Replies, ThatAreTooLargeAreTrouble) {
  constexpr std::size_t piece = 64 << 10;
  EXPECT_EQ(read("$2000000000\r\n" + std::string(Replies::max_bytes, 'x'), piece),
            "the answer is too large");
  EXPECT_EQ(read("+" + std::string(Replies::max_bytes, 'x'), piece), "the answer is too large");
  std::string parts = "*2000000000\r\n";
  for (std::size_t i = 0; i < Replies::max_parts; ++i) parts += ":1\r\n";
  EXPECT_EQ(read(parts, piece), "the answer is too large");
}

TEST(Replies, MayBeAsLargeAsTheLimit) {
  constexpr std::size_t piece = 64 << 10;
  std::string large(Replies::max_bytes - 100, 'x');
  auto found = read("$" + std::to_string(large.size()) + "\r\n" + large + "\r\n:1\r\n", piece);
  EXPECT_EQ(found, "\"" + large + "\";1;");
  std::string parts = "*" + std::to_string(Replies::max_parts - 1) + "\r\n", wanted = "[";
  for (std::size_t i = 0; i < Replies::max_parts - 1; ++i) {
    parts += ":1\r\n";
    wanted += "1 ";
  }
  EXPECT_EQ(read(parts + parts, piece), wanted + "];" + wanted + "];");
}

TEST(Requests, AreListsOfWords) {
  std::vector<std::string_view> words{"SET", "", "a\r\nb"};
  EXPECT_EQ(request(words), "*3\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\na\r\nb\r\n");
}

}  // namespace
}  // namespace quire::redis
