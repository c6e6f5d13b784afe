#include "records/reader.h"

#include "records/read.h"
#include "records/rejects_file.h"

namespace quire::records {
namespace {

using namespace std::string_view_literals;

TEST(Kinds, AreToldByTheFirstCharacter) {
  struct Case {
    std::string_view text;
    Kind kind;
  };
  for (const auto& [text, kind] :
       {Case{"a,b\n", Kind::csv}, Case{" {\"a\":1}\n", Kind::json_lines}, Case{"\n[]", Kind::json},
        Case{"<f><r/></f>", Kind::xml}, Case{"\xEF\xBB\xBF[]", Kind::json},
        Case{"\"{\"\n", Kind::csv}}) {
    auto reader = Reader::open(file_of(text), {.rows = kind == Kind::xml ? "r" : ""});
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ((*reader)->kind(), kind) << text;
    auto zipped = Reader::open(file_of(gzip(text)), {.rows = kind == Kind::xml ? "r" : ""});
    ASSERT_TRUE(zipped) << zipped.error().message;
    EXPECT_EQ((*zipped)->kind(), kind) << text;
  }
}

TEST(Kinds, AreThoseOfTheForm) {
  EXPECT_EQ(rows_of("[a],{b}\n1,2\n", {.kind = Kind::csv}), Lines{R"(2 {"[a]":"1","{b}":"2"})"});
  EXPECT_EQ(rows_of("{\"a\":1}\n", {.kind = Kind::json}), Lines{R"(1 {"a":1})"});
  EXPECT_EQ(rows_of("{\"a\":\n1}\n", {.rows = "x", .kind = Kind::json_lines}).size(), 2u);
}

TEST(Kinds, OfAFileWithoutTextHaveNoRows) {
  for (std::string_view text : {"", " \n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(cut_rows_of(text), Lines{});
    for (auto kind : {Kind::json, Kind::json_lines, Kind::xml})
      EXPECT_EQ(rows_of(text, {.kind = kind}), Lines{});
  }
  EXPECT_EQ(rows_of(gzip("")), Lines{});
}

TEST(Kinds, WithoutRowsAreRefusedBySentences) {
  struct Case {
    std::string_view begin, sentence;
  };
  for (const auto& [begin, sentence] :
       {Case{"PK\x03\x04\x14\0\0"sv, "Save its sheet as CSV"},
        Case{"\xD0\xCF\x11\xE0\xA1\xB1"sv, "Save its sheet as CSV"},
        Case{"SQLite format 3\0\x10"sv, "SELECT"}, Case{"%PDF-1.4\n"sv, "PDF"},
        Case{"-- MySQL dump 10.13\n"sv, "SELECT"},
        Case{"\n--\n-- PostgreSQL database dump\n"sv, "SELECT"},
        Case{"Insert into `t` values (1);\n"sv, "SELECT"},
        Case{"CREATE TABLE t (a int);\n"sv, "SELECT"},
        Case{"/*!40101 SET NAMES utf8 */;\n"sv, "SELECT"}, Case{"<!DOCTYPE html><p>"sv, "web page"},
        Case{"\n<HTML>"sv, "web page"}, Case{"\x28\xB5\x2F\xFD\x24"sv, "Unpack"},
        Case{"\xFD\x37zXZ\0"sv, "Unpack"}, Case{"BZh91AY"sv, "Unpack"},
        Case{"ab\0cd\0"sv, "no text"}, Case{"PAR1\x15"sv, "Parquet"}}) {
    auto rows = rows_of(begin);
    ASSERT_EQ(rows.size(), 1u) << begin;
    EXPECT_TRUE(rows[0].starts_with("error: It is ")) << rows[0];
    EXPECT_NE(rows[0].find(sentence), std::string::npos) << rows[0];
  }
  EXPECT_EQ(rows_of("set of,a\n1,2\n"), Lines{R"(2 {"set of":"1","a":"2"})"});
}

// Rejects each row of a file with a reason, and reads the rejects with the same form.
Lines rejected(std::string_view bytes, const Form& form, std::string* written = nullptr) {
  auto reader = Reader::open(file_of(bytes), form);
  EXPECT_TRUE(reader);
  TemporaryDirectory directory;
  auto file = directory.path() + "/rejects";
  RejectsFile rejects;
  EXPECT_TRUE(rejects.open(file, (*reader)->kind(), (*reader)->columns(), (*reader)->delimiter()));
  for (auto row = (*reader)->next();; row = (*reader)->next()) {
    EXPECT_TRUE(row);
    if (!row || std::holds_alternative<End>(*row)) break;
    if (auto* record = std::get_if<Record>(&*row)) rejects.add(*record, "It is \"bad\", and more.");
    if (auto* bad = std::get_if<BadRow>(&*row)) rejects.add(*bad);
  }
  EXPECT_TRUE(rejects.close());
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (written) *written = text;
  return rows_of(text, form);
}

TEST(Rejects, OfCsvAreCsvThatIsReadAgain) {
  std::string written;
  EXPECT_EQ(
      rejected("a;b\nx;\"1;\n\"\"2\"\n;\" é\"\n1\n\"x\"y;z\n", {.encoding = "UTF-8"}, &written),
      (Lines{R"(2 {"a":"x","b":"1;\n\"2"})", R"(4 {"a":"","b":" é"})",
             "5 bad: The row has another number of fields than the header: 2 instead of 3. "
             "1;\"The row has another number of fields than the header: 1 instead of 2.\"",
             "6 bad: A quote stands within a field in quotes, where two should. "
             "\"x\"y;z;\"A quote stands within a field in quotes, where two should.\""}));
  EXPECT_TRUE(written.starts_with(
      "\xEF\xBB\xBF"
      "\"a\";\"b\";quire_reason\nx;\"1;\n\"\"2\";\"It is \"\"bad\"\", and more.\"\n"))
      << written;
}

TEST(Rejects, OfCsvHaveNamesAndReasonsInQuotes) {
  EXPECT_EQ(rejected("sep=;\n\"a,,\";b \"c\"\nx;y\n\"\"\"x;1\nz;\"w\"\n", {}),
            (Lines{R"(2 {"a,,":"x","b \"c\"":"y"})",
                   "3 bad: A quote stands within a field in quotes, where two should. "
                   "\"\"\"x;1;\"A quote stands within a field in quotes, where two should.\"",
                   R"(4 {"a,,":"z","b \"c\"":"w"})"}));
}

TEST(Rejects, NameADelimiterThatTheirHeaderDoesNotTell) {
  std::string written;
  EXPECT_EQ(rejected("sep=:\na:b\n1:2\n", {}, &written), Lines{R"(3 {"a":"1","b":"2"})"});
  EXPECT_TRUE(written.starts_with("\xEF\xBB\xBFsep=:\n\"a\":\"b\":quire_reason\n")) << written;
}

TEST(Rejects, AreUtf8WhateverTheFormSays) {
  EXPECT_EQ(rejected("a,b\n\xE9,1\n", {.encoding = "windows-1252"}),
            Lines{R"(2 {"a":"é","b":"1"})"});
  EXPECT_EQ(rejected("{\"a\":\"\xE9\"}", {.encoding = "windows-1252"}), Lines{R"(1 {"a":"é"})"});
}

TEST(Rejects, OfJsonAreLinesWhateverTheFormSays) {
  std::string written;
  EXPECT_EQ(rejected("{\"x\":[{\"a\":1},7]}", {.rows = "x", .kind = Kind::json}, &written),
            (Lines{R"(1 {"a":1})", "2 bad: The row is no JSON object. 7"}));
  EXPECT_EQ(written,
            "\xEF\xBB\xBF"
            R"({"a":1,"quire_reason":"It is \"bad\", and more."})"
            "\n"
            R"({"quire_row":"7","quire_reason":"The row is no JSON object."})"
            "\n");
}

TEST(Rejects, OfXmlHaveWhatIsAroundTheRows) {
  EXPECT_EQ(
      rejected("<p id='1'><q><n>x</n><r><a>1</a></r></q></p>", {.rows = "r", .kind = Kind::xml}),
      Lines{R"(1 {"a":"1","q":{"n":"x"},"p":{"@id":"1"}})"});
}

TEST(Rejects, CannotBeWrittenEverywhere) {
  RejectsFile rejects;
  auto opened = rejects.open("/nonexistent/rejects", Kind::json, {}, 0);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message,
            "Cannot write the rejects file /nonexistent/rejects: No such file or directory.");
  EXPECT_TRUE(rejects.close());
}

}  // namespace
}  // namespace quire::records
