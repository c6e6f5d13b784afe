// The audit log: the content of lines, and lines that cannot be written.
#include "desk/audit_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bytes.h"
#include "temporary_directory.h"

namespace quire::desk {
namespace {

const Comment audited{.id = Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF").value(),
                      .product = "desk \"lamp\"",
                      .language = "en",
                      .rating = 5,
                      .author = "Ann",
                      .title = "Fits",
                      .text = "Süß"};
const AuditEntry who_when{.at_ms = 1'732'104'060'123,
                          .request_id = "fe150cb5e35d275d",
                          .token = "shop",
                          .client = "192.0.2.1"};
constexpr std::string_view line_head =
    R"({"at":"2024-11-20T12:01:00.123Z","request":"fe150cb5e35d275d","token":"shop",)"
    R"("client":"192.0.2.1","action":)";

// docs/formats/audit.md shows these lines.
TEST(AuditLine, OfAnEditHasTheDifferences) {
  Comment after = audited;
  after.rating = 3;
  after.title = "";
  after.text = "Sau";
  EXPECT_EQ(audit_line(who_when, &audited, &after),
            std::string(line_head) +
                R"("edit","comment":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"desk \"lamp\"",)"
                R"("before":{"rating":5,"title_characters":4,"text_characters":3},)"
                R"("after":{"rating":3,"title_characters":0,"text_characters":3}})"
                "\n");
}

TEST(AuditLine, OfAMoveHasBothProductsAndTheNumberOfComments) {
  EXPECT_EQ(move_line(who_when, "desk \"lamp\"", "43", 3),
            std::string(line_head) + R"("move","product":"desk \"lamp\"","to":"43","comments":3})"
                                     "\n");
}

TEST(AuditLine, OfAnImportHasItsCounts) {
  ImportCounts counts{
      .added = 9612, .known = 380, .differing = 4, .updated = 1, .removed_here = 1, .rejected = 2};
  EXPECT_EQ(import_line(who_when, counts),
            std::string(line_head) +
                R"("import","added":9612,"known":380,"differing":4,"updated":1,)"
                R"("removed_here":1,"rejected":2})"
                "\n");
}

// A text may be about a person, so values are left out.
TEST(AuditLine, HasTheNamesOfAttributes) {
  Comment before = audited, after = audited;
  before.attributes = {{"helpful", 8}, {"size", "secret"}, {"verified", true}};
  after.attributes = {{"color", "secret"}, {"helpful", 9}, {"verified", true}};
  auto edit = audit_line(who_when, &before, &after);
  EXPECT_TRUE(edit.ends_with(R"("before":{"attributes":["helpful","size"]},)"
                             R"("after":{"attributes":["color","helpful"]}})"
                             "\n"))
      << edit;
  auto removal = audit_line(who_when, &before, nullptr);
  EXPECT_TRUE(removal.ends_with(R"("text_characters":3,)"
                                R"("attributes":["helpful","size","verified"]}})"
                                "\n"))
      << removal;
}

TEST(AuditLine, OfARemovalHasTheLengthsOfTexts) {
  EXPECT_EQ(audit_line(who_when, &audited, nullptr),
            std::string(line_head) +
                R"("remove","comment":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"desk \"lamp\"",)"
                R"("before":{"language":"en","rating":5,"author_characters":3,)"
                R"("title_characters":4,"text_characters":3}})"
                "\n");
}

// A moderator's note may quote a text, so it is left out.
TEST(AuditLine, OfAnErasureHasTheCustomer) {
  EXPECT_EQ(erasure_line(who_when, CustomerHash{}, 3),
            R"({"at":"2024-11-20T12:01:00.123Z","request":"fe150cb5e35d275d",)"
            R"("token":"shop","client":"192.0.2.1","action":"erase",)"
            R"("customer":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","comments":3})"
            "\n");
}

TEST(AuditLine, OfADecisionHasStatusAndReason) {
  Comment before = audited, after = audited;
  before.moderation = {.status = CommentStatus::pending, .held_by = "links", .held_ms = 7};
  after.moderation = {CommentStatus::rejected, "spam", "a note", "links", 7, false};
  auto changed = [](std::string_view description) {
    return std::string(line_head) + R"("edit","comment":"01JD5ZK3V8Q6W3N0A9B7C5D2EF",)" +
           R"("product":"desk \"lamp\"",)" + std::string(description) + "}\n";
  };
  EXPECT_EQ(
      audit_line(who_when, &before, &after),
      changed(R"("before":{"status":"pending"},"after":{"status":"rejected","reason":"spam"})"));
  EXPECT_EQ(
      audit_line(who_when, &after, &audited),
      changed(R"("before":{"status":"rejected","reason":"spam"},"after":{"status":"published"})"));
  auto removal = audit_line(who_when, &after, nullptr);
  EXPECT_TRUE(removal.ends_with(R"("text_characters":3,"status":"rejected","reason":"spam"}})"
                                "\n"))
      << removal;
}

// Of a post there is nothing before it.
TEST(AuditLine, OfAPostHasTheDecision) {
  Comment posted = audited;
  posted.moderation = {.status = CommentStatus::rejected, .reason = "spam", .note = "a note"};
  auto entry = who_when;
  entry.decision = "rejected";
  EXPECT_EQ(audit_line(entry, nullptr, &posted),
            std::string(line_head) +
                R"("post","comment":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"desk \"lamp\"",)"
                R"("after":{"language":"en","rating":5,"author_characters":3,)"
                R"("title_characters":4,"text_characters":3,"status":"rejected","reason":"spam"},)"
                R"("decision":"rejected"})"
                "\n");
}

TEST(AuditLine, OfAHoldHasTheRule) {
  Comment pending = audited;
  pending.moderation = {.status = CommentStatus::pending, .held_by = "reports", .held_ms = 7};
  AuditEntry entry{.at_ms = who_when.at_ms,
                   .request_id = who_when.request_id,
                   .token = "-",
                   .client = "-",
                   .held_by = "reports"};
  auto line = audit_line(entry, &audited, &pending);
  EXPECT_NE(line.find(R"("token":"-","client":"-","action":"edit",)"), line.npos) << line;
  EXPECT_TRUE(line.ends_with(R"("before":{"status":"published"},"after":{"status":"pending"},)"
                             R"("held_by":"reports"})"
                             "\n"))
      << line;
}

TEST(AuditLine, TellsThatADecisionIsTakenBack) {
  Comment rejected = audited, pending = audited;
  rejected.moderation = {.status = CommentStatus::rejected, .reason = "spam"};
  pending.moderation = {.status = CommentStatus::pending};
  auto entry = who_when;
  entry.undoes = true;
  EXPECT_EQ(audit_line(entry, &rejected, &pending),
            std::string(line_head) +
                R"("undo","comment":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"desk \"lamp\"",)"
                R"("before":{"status":"rejected","reason":"spam"},"after":{"status":"pending"}})"
                "\n");
}

class AuditLogTest : public testing::Test {
 protected:
  std::string content() const { return file_bytes(file_); }

  TemporaryDirectory directory_;
  std::string file_ = directory_.path() + "/audit.log";
};

TEST_F(AuditLogTest, LinesAreAppended) {
  for (int round = 0; round < 2; ++round) {
    auto log = AuditLog::open(file_).value();
    EXPECT_TRUE(log->ready());
    log->add("one\n");
    log->add("two\n");
  }
  EXPECT_EQ(content(), "one\ntwo\none\ntwo\n");
  struct stat status {};
  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0007, 0u) << "not for everyone";
}

TEST_F(AuditLogTest, AnUnfinishedLineIsEnded) {
  std::ofstream(file_) << "one\nhal";
  AuditLog::open(file_).value()->add("two\n");
  EXPECT_EQ(content(), "one\nhal\ntwo\n");
}

TEST_F(AuditLogTest, AFullDiskKeepsTheLineAndRefusesChanges) {
  auto log = AuditLog::open("/dev/full").value();
  EXPECT_TRUE(log->ready()) << "nobody knows yet";
  log->add("one\n");
  EXPECT_EQ(log->ready().error().code, ErrorCode::unavailable);
}

// The pipe fills up because nothing reads it. The log does not wait, and writes the lines that it
// kept once there is room.
TEST_F(AuditLogTest, AFullPipeDoesNotStopTheServer) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  int reader = ::open(file_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  auto log = AuditLog::open(file_).value();
  std::string line(1000, 'x');
  line += '\n';
  std::size_t sent = 0;
  for (; log->ready() && sent < 10'000; ++sent) log->add(line);
  ASSERT_LT(sent, 10'000u);
  std::size_t received = 0;
  std::string buffer(1 << 20, '\0');
  for (ssize_t size; received < sent * line.size();) {
    (void)log->ready();
    size = read(reader, buffer.data(), buffer.size());
    if (size <= 0) break;
    received += static_cast<std::size_t>(size);
  }
  EXPECT_EQ(received, sent * line.size()) << "no line is lost";
  EXPECT_TRUE(log->ready());
  close(reader);
}

TEST_F(AuditLogTest, OpenedAgainALineGoesToTheNewFile) {
  auto log = AuditLog::open(file_).value();
  log->add("one\n");
  auto rotated = file_ + ".1";
  std::filesystem::rename(file_, rotated);
  log->add("two\n");
  std::ofstream(file_) << "hal";
  ASSERT_TRUE(log->reopen());
  log->add("three\n");
  EXPECT_EQ(content(), "hal\nthree\n");
  EXPECT_EQ(std::filesystem::file_size(rotated), 8u) << "one and two";
  std::filesystem::remove_all(directory_.path());
  EXPECT_FALSE(log->reopen());
  log->add("four\n");
  EXPECT_TRUE(log->ready()) << "the line went to the file that is no longer named";
}

TEST_F(AuditLogTest, AFileThatCannotBeOpenedIsRefusedWithItsName) {
  auto log = AuditLog::open(directory_.path() + "/missing/audit.log");
  ASSERT_FALSE(log.ok());
  EXPECT_NE(log.error().message.find("/missing/audit.log"), std::string::npos);
}

TEST(AuditLine, TellsADecisionThatChangesNothing) {
  auto entry = who_when;
  entry.decision = "published";
  EXPECT_NE(audit_line(entry, &audited, &audited).find(R"("decision":"published")"),
            std::string::npos);
  EXPECT_EQ(audit_line(who_when, &audited, &audited).find("decision"), std::string::npos);
}

}  // namespace
}  // namespace quire::desk
