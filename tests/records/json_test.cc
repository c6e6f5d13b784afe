#include "records/json.h"

#include <random>

#include "records/read.h"

namespace quire::records {
namespace {

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (; count > 0; --count) out += text;
  return out;
}

TEST(JsonLines, AreRowsEach) {
  EXPECT_EQ(cut_rows_of("\n{\"a\":1}\r\n \n {\"b\":[\"}\\\"\"]}\n{}"),
            (Lines{R"(2 {"a":1})", R"(4 {"b":["}\""]})", "5 {}"}));
  EXPECT_EQ(cut_rows_of("{\"a\":{\"b\":[{}]}}"), Lines{R"(1 {"a":{"b":[{}]}})"});
}

TEST(JsonLines, HaveTheLastOfMembersWithOneName) {
  EXPECT_EQ(cut_rows_of("{\"a\":1,\"b\":2,\"a\":3}"), Lines{R"(1 {"a":3,"b":2})"});
}

TEST(JsonLines, CostThemselvesWhereTheyAreBad) {
  EXPECT_EQ(cut_rows_of("{\"a\":1}\n{\"a\":\n[1]\n\"{\"\n{\"a\":2}\n"),
            (Lines{R"(1 {"a":1})", R"(2 bad: The row is no JSON: incomplete JSON. {"a":)",
                   "3 bad: The row is no JSON object. [1]",
                   "4 bad: The row is no JSON object. \"{\"", R"(5 {"a":2})"}));
  EXPECT_EQ(cut_rows_of("{\"a\":\n{\"a\":2}\n"),
            (Lines{R"(1 bad: The row is no JSON: incomplete JSON. {"a":)", R"(2 {"a":2})"}));
  EXPECT_EQ(cut_rows_of("{\"a\":tru}\n{\"a\":2}\n").size(), 2u);
}

TEST(JsonLines, HaveALeastUpperBound) {
  auto row = [](std::size_t size) { return "{\"a\":\"" + std::string(size - 8, 'x') + "\"}"; };
  auto rows = rows_of("{}\n" + row(max_row) + "\n" + row(max_row + 1) + "\n{\"a\":2}\n");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_TRUE(rows[1].starts_with("2 {\"a\":\"xxx"));
  EXPECT_TRUE(rows[2].starts_with("3 bad: The row has over 1 MiB. {\"a\":\"xxx"));
  EXPECT_EQ(rows[3], R"(4 {"a":2})");
}

TEST(JsonLines, AreNotTooDeep) {
  for (std::size_t depth : {90, 5000}) {
    auto rows = rows_of("{}\n{\"a\":" + repeated("[", depth) + repeated("]", depth) + "}\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].starts_with("2 bad: The row is no JSON"), depth > 100) << rows[1];
  }
}

TEST(JsonArrays, HaveElementsThatAreRows) {
  EXPECT_EQ(cut_rows_of(" [\n{\"a\":\"]\\\"},\"},{\"b\":[{},[]]}\n,\n {}\n]\n"),
            (Lines{R"(2 {"a":"]\"},"})", R"(2 {"b":[{},[]]})", "4 {}"}));
  EXPECT_EQ(cut_rows_of("[]"), Lines{});
  EXPECT_EQ(cut_rows_of("[{\"a\":1},]"), Lines{R"(1 {"a":1})"});
}

TEST(JsonArrays, MayFollowEachOther) {
  EXPECT_EQ(cut_rows_of("[{\"a\":1}]\n[{\"a\":2}][]"), (Lines{R"(1 {"a":1})", R"(2 {"a":2})"}));
}

TEST(JsonArrays, CostAnElementThatIsBad) {
  EXPECT_EQ(cut_rows_of("[{\"a\":tru},7,\"x\",{\"a\":1}]"),
            (Lines{R"(1 bad: The row is no JSON: syntax error. {"a":tru})",
                   "1 bad: The row is no JSON object. 7", "1 bad: The row is no JSON object. \"x\"",
                   R"(1 {"a":1})"}));
  auto rows = rows_of("[{\"a\":\"" + std::string(3 * max_row, 'x') + "\"},\n{\"a\":1}]");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].starts_with("1 bad: The row has over 1 MiB. {\"a\":\"xxx"));
  EXPECT_EQ(rows[1], R"(2 {"a":1})");
}

TEST(JsonArrays, AreRefusedWhereTheyAreDamaged) {
  EXPECT_EQ(cut_rows_of("[{\"a\":1},\n{\"a\":[2}]"),
            (Lines{R"(1 {"a":1})", "error:2: The JSON is damaged here."}));
  EXPECT_EQ(cut_rows_of("[{\"a\":1} {}]"),
            (Lines{R"(1 {"a":1})", "error:1: The JSON is damaged here."}));
  for (std::string_view cut : {"[{\"a\":1},\n{\"a\":\"", "[{\"a\":1},\n", "[{\"a\":1}\n"})
    EXPECT_EQ(cut_rows_of(cut),
              (Lines{R"(1 {"a":1})", "error:2: The JSON ends too early. Get the file again."}));
}

const std::string_view answer =
    "{\"meta\":{\"pages\":[1,2],\"n\\u0061me\":[{\"x\":1}]},\n\"response\":{\"other\":[{\"a\":0}],"
    "\n"
    "\"reviews\":[{\"a\":1},\n{\"a\":2}],\"more\":false}}\n";

TEST(JsonPaths, LeadToTheArrayOfRows) {
  EXPECT_EQ(cut_rows_of(answer, {.rows = "response.reviews"}),
            (Lines{R"(3 {"a":1})", R"(4 {"a":2})"}));
  EXPECT_EQ(cut_rows_of(answer, {.rows = "meta.name"}), Lines{R"(1 {"x":1})"});
  EXPECT_EQ(cut_rows_of("{\"a\":[[{\"x\":1}],[{\"x\":2}]]}", {.rows = "a.1"}),
            Lines{R"(1 {"x":2})"});
  EXPECT_EQ(cut_rows_of("{\"a\":[{\"b\":[{\"x\":1}]},{},{\"b\":[{\"x\":2}]}]}", {.rows = "a.*.b"}),
            (Lines{R"(1 {"x":1})", R"(1 {"x":2})"}));
  EXPECT_EQ(cut_rows_of("{\"d\":[{\"x\":1}]}\n{\"d\":[{\"x\":2}]}\n", {.rows = "d"}),
            (Lines{R"(1 {"x":1})", R"(2 {"x":2})"}));
}

TEST(JsonPaths, ThatLeadNowhereAreAnError) {
  EXPECT_EQ(cut_rows_of(answer, {.rows = "response.rows"}),
            Lines{"error: No array is at response.rows, which the mapping's rows names."});
  EXPECT_EQ(cut_rows_of(answer, {.rows = "response"}),
            Lines{"error: No array is at response, which the mapping's rows names."});
  EXPECT_EQ(cut_rows_of("{\"rows\":[]}", {.rows = "rows"}), Lines{});
}

TEST(JsonPaths, AreProposedWhereTheFileTellsNone) {
  EXPECT_EQ(cut_rows_of(answer),
            Lines{"error: The file is one JSON object. Tell the path of its rows in the mapping: "
                  "[file] rows = \"meta.name\". Arrays in it: meta.name, response.other, "
                  "response.reviews."});
  auto possible = possible_rows(file_of(answer), {});
  ASSERT_TRUE(possible);
  EXPECT_EQ(*possible,
            (std::vector<std::string>{"meta.name", "response.other", "response.reviews"}));
  EXPECT_EQ(*possible_rows(file_of("{\"a\":[{}]}\n"), {}), std::vector<std::string>{});
}

TEST(DynamoDb, ExportsOfS3AreUnwrapped) {
  EXPECT_EQ(
      cut_rows_of(
          R"({"Item":{"pk":{"S":"C#1"},"n":{"N":"5"},"d":{"N":"4.5"},"e":{"N":"1E2"},"big":{"N":"12345678901234567890"},"t":{"BOOL":true},"z":{"NULL":true},"m":{"M":{"x":{"L":[{"S":"y"},{"N":"-1"}]},"e":{"M":{}}}},"ss":{"SS":["a"]},"ns":{"NS":["1","x"]},"b":{"B":"aGk="}}})"
          "\n"),
      Lines{
          R"(1 {"pk":"C#1","n":5,"d":4.5E0,"e":1E2,"big":"12345678901234567890","t":true,"z":null,"m":{"x":["y",-1],"e":{}},"ss":["a"],"ns":[1,"x"],"b":"aGk="})"});
}

TEST(DynamoDb, MembersAreUnwrappedOnlyWhereAllAreTyped) {
  for (std::string_view row : {R"({"a":{"S":"x"},"b":1})", R"({"a":{"S":1}})", R"({"a":{"N":5}})",
                               R"({"a":{"L":[{"S":"x"},1]}})", R"({"a":{"M":{"b":1}}})",
                               R"({"Item":{"a":1}})", R"({"a":{"S":"x","N":"1"}})", "{}"})
    EXPECT_EQ(cut_rows_of(row), Lines{"1 " + std::string(row)});
  EXPECT_EQ(cut_rows_of(R"({"a":{"S":"x"}})"), Lines{R"(1 {"a":"x"})"});
}

TEST(DynamoDb, AnswersOfAScanHaveTheirItems) {
  for (std::string_view text :
       {R"({"Items":[{"a":{"N":"1"}},{"a":{"N":"2"}}],"Count":2,"ScannedCount":2})",
        "{\n\"Count\": 2,\n\"Items\": [{\"a\": {\"N\": \"1\"}}, {\"a\": {\"N\": \"2\"}}]}"}) {
    auto rows = cut_rows_of(text);
    ASSERT_EQ(rows.size(), 2u) << rows[0];
    EXPECT_TRUE(rows[1].ends_with(R"( {"a":2})"));
  }
  EXPECT_EQ(cut_rows_of(R"({"Items":[{"a":1}]})"), Lines{R"(1 {"Items":[{"a":1}]})"});
}

TEST(DynamoDb, ModelsOfNoSqlWorkbenchHaveTheirTables) {
  EXPECT_EQ(cut_rows_of(
                "{\"ModelName\":\"m\",\n\"DataModel\":[{\"TableName\":\"t\",\"TableData\":[{\"a\":{"
                "\"S\":\"1\"}}]},{\"TableName\":\"u\",\n\"TableData\":[{\"a\":{\"S\":\"2\"}}]}]}"),
            (Lines{R"(2 {"a":"1"})", R"(3 {"a":"2"})"}));
}

// A value of JSON as text, with blanks in it.
std::string written(const boost::json::value& value, std::mt19937& random) {
  std::string out;
  auto blank = [&] { return std::string(random() % 2, " \n"[random() % 2]); };
  if (auto* object = value.if_object()) {
    for (const auto& member : *object)
      out += (out.empty() ? "{" : ",") + blank() + boost::json::serialize(member.key()) + blank() +
             ":" + written(member.value(), random);
    return (out.empty() ? "{" : out) + blank() + "}";
  }
  if (auto* array = value.if_array()) {
    for (const auto& each : *array) out += (out.empty() ? "[" : ",") + written(each, random);
    return (out.empty() ? "[" : out) + blank() + "]";
  }
  return blank() + boost::json::serialize(value) + blank();
}

boost::json::value any_value(std::mt19937& random, int depth) {
  std::string text;
  for (auto size = random() % 6; size > 0; --size) text += "a\"\\{}[],:\n"[random() % 10];
  switch (depth > 3 ? random() % 3 : random() % 5) {
    case 0:
      return nullptr;
    case 1:
      return static_cast<std::int64_t>(random());
    case 2:
      return boost::json::string(text);
    case 3: {
      boost::json::array array;
      for (auto size = random() % 4; size > 0; --size)
        array.push_back(any_value(random, depth + 1));
      return array;
    }
    default: {
      boost::json::object object{{"k", 1}};
      for (auto size = random() % 4; size > 0; --size)
        object[text + "k"] = any_value(random, depth + 1);
      return object;
    }
  }
}

TEST(Json, HasTheRowsThatWereWritten) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    boost::json::array rows;
    for (auto size = random() % 5; size > 0; --size) {
      boost::json::object row{{"first", 1}};
      row["value"] = any_value(random, 0);
      rows.push_back(row);
    }
    boost::json::object document{{"before", any_value(random, 0)},
                                 {"in", {{"rows", rows}}},
                                 {"after", any_value(random, 0)}};
    for (bool array : {true, false}) {
      auto text = array ? written(rows, random) : written(document, random);
      auto read = rows_of(text, {.rows = array ? "" : "in.rows"}, 1 + random() % 9);
      ASSERT_EQ(read.size(), rows.size()) << text;
      for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(read[i].substr(read[i].find(' ') + 1), boost::json::serialize(rows[i]));
    }
  }
}

}  // namespace
}  // namespace quire::records
