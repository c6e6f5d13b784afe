#include "records/csv.h"

#include <random>

#include "records/read.h"

namespace quire::records {
namespace {

struct Case {
  const char* name;
  std::string_view text;
  Lines rows;
};

class CsvRows : public testing::TestWithParam<Case> {};
TEST_P(CsvRows, AreReadWhereverTheTextIsCut) {
  EXPECT_EQ(cut_rows_of(GetParam().text), GetParam().rows);
}

const char* const width = "The row has another number of fields than the header: ";
const char* const stray = "A quote stands within a field in quotes, where two should.";

INSTANTIATE_TEST_SUITE_P(
    , CsvRows,
    testing::Values(
        Case{"LineEnds",
             "a,b\n1,2\r\n3,4\r5,6",
             {R"(2 {"a":"1","b":"2"})", R"(3 {"a":"3","b":"4"})", R"(4 {"a":"5","b":"6"})"}},
        Case{"BareReturns",
             "a,b\r1,2\r\r3,4\r",
             {R"(2 {"a":"1","b":"2"})", R"(4 {"a":"3","b":"4"})"}},
        Case{
            "Quotes", "a,b\n\"x, \"\"y\"\"\nz\",\" s \"\n", {R"(2 {"a":"x, \"y\"\nz","b":" s "})"}},
        Case{"QuotesOfQuotesAlone",
             "a\n\"\"\"\"\n\"a \"\"b\"\"\"\n",
             {R"(2 {"a":"\""})", R"(3 {"a":"a \"b\""})"}},
        Case{"LinesInQuotes",
             "a,b\n\"1\r\n\n2\",x\ny,z\n",
             {R"(2 {"a":"1\r\n\n2","b":"x"})", R"(5 {"a":"y","b":"z"})"}},
        Case{"SpacesAroundQuotes", "a, b\n \"x, y\" , z \n", {R"(2 {"a":"x, y","b":"z"})"}},
        Case{"QuoteInAFieldWithoutQuotes",
             "a,b\n5\" pipe,he said \"no\"\n",
             {R"(2 {"a":"5\" pipe","b":"he said \"no\""})"}},
        Case{"BlankRows", "\n\na,b\n\n  \n,\n\"\",\n1,2\n\n", {R"(8 {"a":"1","b":"2"})"}},
        Case{"OtherWidth",
             "a,b\n1\n1,2,3\n1,2\n",
             {std::string("2 bad: ") + width + "1 instead of 2. 1",
              std::string("3 bad: ") + width + "3 instead of 2. 1,2,3", R"(4 {"a":"1","b":"2"})"}},
        Case{"StrayQuoteCostsItsLine",
             "a,b\n\"x \"y\" z\",1\n2,3\n",
             {std::string("2 bad: ") + stray + " \"x \"y\" z\",1", R"(3 {"a":"2","b":"3"})"}},
        Case{"StrayQuoteInTheNextLine",
             "a,b\n\"x,1\n2,3\n\"4\",5\n6,7\n",
             {std::string("2 bad: ") + stray + " \"x,1", R"(3 {"a":"2","b":"3"})",
              R"(4 {"a":"4","b":"5"})", R"(5 {"a":"6","b":"7"})"}},
        Case{"QuoteWithoutEnd",
             "a,b\n\"x,1\n2,3\n",
             {"2 bad: A quote does not end. \"x,1", R"(3 {"a":"2","b":"3"})"}},
        Case{"NamesOfColumns",
             " date ,,date,\"date\"\n1,2,3,4\n",
             {R"(2 {"date":"1","column 2":"2","date 2":"3","date 3":"4"})"}},
        Case{"Semicolons", "a;b,c;d\n1,5;x;y\n", {R"(2 {"a":"1,5","b,c":"x","d":"y"})"}},
        Case{"Tabs", "a\tb\n\t x\n", {R"(2 {"a":"","b":"x"})"}},
        Case{"Bars", "\"a,,,\"|b\n1|2\n", {R"(2 {"a,,,":"1","b":"2"})"}},
        Case{"ExcelsSeparator", "sep=;\r\na;b\r\n1;2\r\n", {R"(3 {"a":"1","b":"2"})"}},
        Case{"ExcelsSeparatorBelowBlankLines", "\n\nsep=:\na:b\n1:2\n", {R"(5 {"a":"1","b":"2"})"}},
        Case{"OneColumn", "a\n1\n\n2", {R"(2 {"a":"1"})", R"(4 {"a":"2"})"}},
        Case{"HeaderAlone", "a,b", {}},
        Case{"ReasonOfBefore", "a,quire_reason,b\n1,why,2\n", {R"(2 {"a":"1","b":"2"})"}},
        Case{"HeaderWithAQuoteThatDoesNotEnd",
             "\"a,b\n1,2\n",
             {"error:1: The header has a quote that does not end, or that stands in a field."}}),
    [](const auto& param) { return param.param.name; });

TEST(Csv, HasTheDelimiterThatTheFormTells) {
  EXPECT_EQ(rows_of("a,a;b\n1,1;2\n", {.delimiter = ';'}), Lines{R"(2 {"a,a":"1,1","b":"2"})"});
}

TEST(Csv, HasTheDelimiterOfItsHeaderOrOfExcelsFirstLine) {
  struct Case {
    std::string_view head;
    char delimiter;
  };
  for (const auto& [head, delimiter] :
       {Case{"", ','}, Case{"a", ','}, Case{"a;b\n,,,", ';'}, Case{"a,b;c", ','},
        Case{"\"a,,\";b", ';'}, Case{"\"a\n,,\"|b", '|'}, Case{"\r\n\na\tb", '\t'},
        Case{"sep=^\na,b^c", '^'}, Case{"SEP=\t\r\na,b", '\t'}, Case{"sep=xy\na;b", ','},
        Case{"sep=x\na;b", ','}, Case{"sep=\"\n", ','}, Case{"sep=;b\n", ';'}})
    EXPECT_EQ(delimiter_of(head), delimiter) << head;
}

TEST(Csv, TellsItsColumnsAndDelimiter) {
  auto reader = Reader::open(file_of("b;quire_reason;a\n"), {});
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->columns(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ((*reader)->delimiter(), ';');
  EXPECT_EQ((*reader)->kind(), Kind::csv);
}

TEST(Csv, NeedsAHeader) {
  for (std::string_view text : {"", "\n\n", " ", ",,\n"})
    EXPECT_EQ(rows_of(text, {.kind = Kind::csv}),
              Lines{"error: It has no header: the first row of CSV names the columns."});
}

TEST(Csv, CostsALineWhereAQuoteSwallowsMoreThanARowMayHave) {
  std::string text = "a,b\n\"x,1\n2,3\n";
  std::size_t rows = 1;
  for (; text.size() < 3 * max_row; ++rows) text += "some words,and others\n";
  auto read = rows_of(text);
  ASSERT_EQ(read.size(), 1 + rows);
  EXPECT_EQ(read[0], "2 bad: The row has over 1 MiB, as if a quote did not end. \"x,1");
  EXPECT_EQ(read[1], R"(3 {"a":"2","b":"3"})");
  EXPECT_EQ(read.back(), std::to_string(rows + 2) + R"( {"a":"some words","b":"and others"})");
}

TEST(Csv, KeepsNoMoreOfALongLineThanARowMayHave) {
  auto text = "a,b\n" + std::string(3 * max_row, 'x') + ",1\n2,3\n";
  auto file = file_of(text);
  auto reader = Reader::open(file, {});
  ASSERT_TRUE(reader);
  auto bad = (*reader)->next();
  ASSERT_TRUE(bad && std::holds_alternative<BadRow>(*bad));
  EXPECT_EQ(std::get<BadRow>(*bad).text.size(), max_row);
  EXPECT_EQ(read_rows(**reader, file), Lines{R"(3 {"a":"2","b":"3"})"});
}

TEST(Csv, HasTheFieldsThatWereWritten) {
  std::mt19937 random(1);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    char delimiter = ",;\t|"[below(4)];
    const char* line_end = below(3) == 0 ? "\r\n" : below(2) == 0 ? "\r" : "\n";
    unsigned columns = 1 + below(4);
    std::string text;
    Lines expected;
    for (unsigned i = 0; i < columns; ++i)
      text += (i > 0 ? std::string(1, delimiter) : "") + "c" + std::to_string(i);
    text += line_end;
    std::uint64_t line = 2;
    for (unsigned row = below(6); row > 0; --row) {
      boost::json::object members;
      auto begin = line;
      for (unsigned i = 0; i < columns; ++i) {
        std::string field = i == 0 ? "x" : "";
        for (unsigned size = below(8); size > 0; --size) field += "ab \"\n,;\t|é"[below(9)];
        if (i > 0) text += delimiter;
        text += '"';
        for (char c : field) {
          text += c == '"' ? std::string("\"\"") : std::string(1, c);
          line += c == '\n';
        }
        text += '"';
        members["c" + std::to_string(i)] = field;
      }
      ++line;
      text += line_end;
      expected.push_back(std::to_string(begin) + " " + boost::json::serialize(members));
    }
    EXPECT_EQ(rows_of(text, {.delimiter = delimiter}, 1 + below(9)), expected) << text;
  }
}

}  // namespace
}  // namespace quire::records
