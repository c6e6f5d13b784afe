#include "records/text.h"

#include "records/read.h"

namespace quire::records {
namespace {

using namespace std::string_view_literals;

const Lines one_row{R"(2 {"a":"é"})"};

std::string error_of(const Lines& lines) {
  return lines.empty() || !lines.back().starts_with("error:") ? "" : lines.back().substr(6);
}

TEST(Text, IsUtf8WithoutAMarkAndWithOne) {
  EXPECT_EQ(cut_rows_of("a\né\n"), one_row);
  EXPECT_EQ(cut_rows_of("\xEF\xBB\xBF"
                        "a\né\n"),
            one_row);
}

TEST(Text, IsUtf16WhereTheMarkSaysSo) {
  EXPECT_EQ(cut_rows_of("\xFF\xFE"
                        "a\0\n\0\xE9\0\n\0"sv),
            one_row);
  EXPECT_EQ(cut_rows_of("\xFE\xFF\0a\0\n\0\xE9\0\n"sv), one_row);
  EXPECT_EQ(cut_rows_of("\xFF\xFE"
                        "a\0\n\0\x3D\xD8\x99\xDC"sv),
            Lines{R"(2 {"a":"💙"})"});
}

TEST(Text, IsUtf16WhereItsFirstCharactersAre) {
  for (bool big_endian : {false, true}) {
    EXPECT_EQ(cut_rows_of(utf16("a,b\n1,2\n", big_endian)), Lines{R"(2 {"a":"1","b":"2"})"});
    EXPECT_EQ(cut_rows_of(utf16("<?xml version='1.0' encoding='UTF-16'?><a><r><b>1</b></r></a>",
                                big_endian),
                          {.rows = "r"}),
              Lines{R"(1 {"b":"1"})"});
  }
}

TEST(Text, IsOfTheEncodingThatTheFormTells) {
  EXPECT_EQ(cut_rows_of("a\n\xE9\n", {.encoding = "windows-1252"}), one_row);
  EXPECT_EQ(cut_rows_of("a\n\x80\x93\n", {.encoding = "cp1252"}), Lines{R"(2 {"a":"€“"})"});
  EXPECT_EQ(cut_rows_of("a\n\x83\x65\x83\x58\x83\x67\n", {.encoding = "Shift_JIS"}),
            Lines{R"(2 {"a":"テスト"})"});
  EXPECT_EQ(cut_rows_of("a\n\xCE\xCA\xCC\xE2\n", {.encoding = "GB18030"}),
            Lines{R"(2 {"a":"问题"})"});
}

TEST(Text, HasAMarkThatLeadsTheForm) {
  EXPECT_EQ(cut_rows_of("\xEF\xBB\xBF"
                        "a\né\n",
                        {.encoding = "windows-1252"}),
            one_row);
}

TEST(Text, IsOfTheEncodingThatXmlDeclares) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a><r><b>\xE9</b></r></a>";
  EXPECT_EQ(cut_rows_of(xml, {.rows = "r"}), Lines{R"(1 {"b":"é"})"});
  EXPECT_EQ(
      cut_rows_of("<?xml version='1.0' encoding='UTF-16'?><a><r><b>é</b></r></a>", {.rows = "r"}),
      Lines{R"(1 {"b":"é"})"});
  xml.replace(xml.find("\xE9"), 1, "\xA4");
  EXPECT_EQ(cut_rows_of(xml, {.rows = "r", .encoding = "ISO-8859-15"}), Lines{R"(1 {"b":"€"})"});
}

TEST(Text, OfAnUnknownEncodingIsRefused) {
  EXPECT_EQ(rows_of("a\n1\n", {.encoding = "latin-99"}),
            Lines{"error:There is no encoding \"latin-99\". Write a name of IANA's in [file] "
                  "encoding, such as \"windows-1252\", \"ISO-8859-15\" or \"Shift_JIS\"."});
  auto declared = rows_of("<?xml version='1.0' encoding='foo'?><a><r/></a>", {.rows = "r"});
  EXPECT_NE(error_of(declared).find("foo"), std::string::npos) << error_of(declared);
}

const std::string advice =
    " Tell the file's encoding in the mapping, such as [file] encoding = \"windows-1252\".";

TEST(Text, IsRefusedWhereItIsNoUtf8AfterTheRowsBefore) {
  for (std::string_view bytes :
       {"\xE9", "\xE9t\xE9", "\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82",
        "\xF0\x82\x82\xAC", "\xF4\x90\x80\x80"}) {
    std::string text = "a\n1\né";
    auto rows = cut_rows_of(text + std::string(bytes) + "\n2\n");
    ASSERT_FALSE(rows.empty());
    EXPECT_NE(error_of(rows).find(" at offset 6 is no UTF-8." + advice), std::string::npos)
        << error_of(rows);
    EXPECT_EQ(rows.size(), 2u);
  }
  // The parser of rows never has the beginning of what is no character.
  EXPECT_EQ(cut_rows_of("a\n1\n\"q \"\xF2\"\n2\n").size(), 2u);
  EXPECT_EQ(error_of(cut_rows_of("a\nb\xE9")), " the byte E9 at offset 3 is no UTF-8." + advice);
}

TEST(Text, IsRefusedWhereTheFormsEncodingHasNoSuchBytes) {
  auto rows = cut_rows_of("a\n1\n\x83", {.encoding = "Shift_JIS"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(error_of(rows), " the bytes 83 near offset 4 are no Shift_JIS." + advice);
}

TEST(Text, IsRefusedWhereItIsNotAsItsMarkSays) {
  EXPECT_EQ(
      rows_of("\xFF\xFE"
              "a\0\n\0\x31\0\n\0\0\xD8\n\0"sv),
      (Lines{R"(2 {"a":"1"})",
             "error: The file is damaged: the bytes 00 D8 near offset 10 are no UTF-16LE, which "
             "its first bytes name."}));
}

TEST(Bytes, AreThoseInGzip) {
  EXPECT_EQ(cut_rows_of(gzip("a\n1\n")), Lines{R"(2 {"a":"1"})"});
  EXPECT_EQ(cut_rows_of(gzip("a\n1") + gzip("2\n3\n") + std::string(5, '\0')),
            (Lines{R"(2 {"a":"12"})", R"(3 {"a":"3"})"}));
  EXPECT_EQ(cut_rows_of(gzip("\xFF\xFE"
                             "a\0\n\0\xE9\0\n\0"sv)),
            one_row);
}

// How far the declaration is looked for does not depend on how many bytes come at once.
TEST(Text, HasADeclarationWithinItsFirstBytesAlone) {
  std::string far = "<?xml version=\"1.0\"" + std::string(300, ' ') + "encoding=\"ISO-8859-1\"?>";
  auto error = error_of(cut_rows_of(far + "<a><r><b>\xE9</b></r></a>", {.rows = "r"}));
  EXPECT_NE(error.find("is no UTF-8."), std::string::npos) << error;
}

TEST(Bytes, AreDamagedWhereGzipIs) {
  auto whole = gzip("a\n1\n2\n");
  EXPECT_EQ(error_of(cut_rows_of(whole.substr(0, whole.size() - 1))),
            " The file is damaged: unexpected end of file.");
  auto flipped = whole;
  flipped[whole.size() - 6] ^= 1;
  EXPECT_EQ(error_of(cut_rows_of(flipped)), " The file is damaged: incorrect data check.");
  EXPECT_EQ(error_of(cut_rows_of(whole + "x")),
            " The file is damaged: what follows the gzip data is none.");
}

// A few bytes at the end stand for many: they are given before the end is told.
TEST(Bytes, AreAllOfAGzipFileThatIsCut) {
  std::string text = "a\n";
  for (int i = 0; i < 1000; ++i) text += "1\n";
  auto whole = gzip(text);
  for (std::size_t size = whole.size() - 12; size < whole.size(); ++size)
    EXPECT_EQ(error_of(cut_rows_of(whole.substr(0, size))),
              " The file is damaged: unexpected end of file.");
}

TEST(Bytes, OfNoFileAreAnError) {
  auto reader = Reader::open("/nonexistent/file", {});
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().message, "Cannot read /nonexistent/file: No such file or directory.");
  EXPECT_FALSE(Reader::open("/", {}));
}

}  // namespace
}  // namespace quire::records
