// The attributes of a record, by their types.
#include "mapping/conversions.h"
#include "mapping/field_values.h"

namespace quire {
namespace {

struct AttributeCase {
  std::string_view value, options, attribute;
};

const std::string left_out = "attributes with a value that Quire does not keep";

// The attribute's JSON, "" for none, or the reason.
std::string attribute(std::string_view value, std::string_view options, Remarks* remarks = {}) {
  auto toml = comment_section("[attributes]\nx = { column = \"x\"" + std::string(options) + " }");
  auto members = R"({"p": "1", "r": 5, "d": "2025-01-03", "x": )" + std::string(value) + "}";
  Conversion conversion(mapping_in(toml), {});
  auto row = convert_all(conversion, records_in(members)).at(0);
  if (remarks) *remarks = conversion.remarks();
  if (!row.starts_with("{")) return row;
  auto at = row.find("\"attributes\":{\"x\":");
  return at == row.npos ? "" : row.substr(at + 18, row.size() - at - 20);
}

TEST(AttributeValues, AreOfTheirType) {
  const AttributeCase cases[] = {
      {R"("Yes")", R"(, type = "flag")", "true"},
      {"true", R"(, type = "flag")", "true"},
      {"1", R"(, type = "flag")", "true"},
      {R"("No")", R"(, type = "flag")", ""},
      {"false", R"(, type = "flag")", ""},
      {"0", R"(, type = "flag")", ""},
      {"\"\"", R"(, type = "flag")", ""},
      {"null", R"(, type = "flag")", ""},
      {"\"\"", R"(, type = "flag", default = true)", "true"},
      {R"("buyer")", R"(, type = "flag", values = { buyer = true })", "true"},
      {R"("none")", R"(, type = "flag", values = { buyer = true, "*" = false })", ""},
      {R"("buyer")", R"(, type = "flag")",
       R"(The flag x is neither true nor false; list it in values: "buyer".)"},
      {R"("yes")", R"(, type = "flag", values = { buyer = true })",
       R"(The flag x is neither true nor false; list it in values: "yes".)"},
      {"12", R"(, type = "number")", "12"},
      {"0", R"(, type = "number")", "0"},
      {R"("-3")", R"(, type = "number")", "-3"},
      {"2.0", R"(, type = "number")", "2"},
      {"\"\"", R"(, type = "number")", ""},
      {R"(" M ")", R"(, type = "choice")", "\"M\""},
      {"5", R"(, type = "text")", "\"5\""},
      {R"("a\nb")", "", R"("a b")"},
      {R"("a, b;c|a\n")", R"(, type = "tags")", R"(["a","b","c"])"},
      {R"(["a", "b"])", R"(, type = "tags", values = { a = "A" })", R"(["A","b"])"},
      {"\"\"", R"(, type = "tags", default = "a,b")", R"(["a","b"])"},
      {"\"\"", R"(, type = "tags")", ""},
      {"true", "", "true"},
      {"false", "", ""},
      {"7", "", "7"},
      {"4.5", "", "\"4.5\""},
      {R"("7")", "", "\"7\""},
      {R"(["a", "b"])", "", R"(["a","b"])"},
      {"{}", "", ""},
      {R"("Color: red")", R"(, pattern = "Color: {x}")", "\"red\""},
      {R"("<b>red</b>")", ", html = true", "\"red\""}};
  for (auto [value, options, wanted] : cases)
    EXPECT_EQ(attribute(value, options), wanted) << value << options;
}

TEST(AttributeValues, ThatAreNoneAreCounted) {
  Remarks remarks;
  for (auto [value, options] : std::vector<std::pair<std::string, std::string>>{
           {"4.5", R"(, type = "number")"},
           {R"("many")", R"(, type = "number")"},
           {"9007199254740992", R"(, type = "number")"},
           {"\"" + std::string(101, 'x') + "\"", ""},
           {"\"" + std::string(101, 'x') + "\"", R"(, type = "tags")"}}) {
    EXPECT_EQ(attribute(value, options, &remarks), "") << value;
    EXPECT_EQ(remarks, (Remarks{{left_out, 1}})) << value;
  }
  std::string many;
  for (int i = 0; i < 20; ++i) many += std::to_string(i) + ",";
  attribute("\"" + many + "\"", R"(, type = "tags")", &remarks);
  EXPECT_EQ(remarks, (Remarks{{left_out, 4}}));
}

TEST(AttributeValues, OfOver4KiBAreCut) {
  std::string section = "[attributes]\n", members = R"({"p": "1", "r": 5, "d": "2025-01-03")";
  for (char name = 'a'; name <= 'p'; ++name) {
    section.append(1, name)
        .append(" = { column = \"x")
        .append(1, name)
        .append("\", type = \"tags\" }\n");
    members.append(", \"x").append(1, name).append("\": [");
    for (int i = 0; i < 10; ++i)
      members.append(i > 0 ? ", \"" : "\"")
          .append(std::to_string(i) + std::string(90, 'x'))
          .append("\"");
    members += "]";
  }
  Conversion conversion(mapping_in(comment_section("id.column = \"p\"\n" + section)), {});
  auto row = convert_all(conversion, records_in(members + "}")).at(0);
  EXPECT_NE(row.find(R"("source_id":"1")"), std::string::npos);
  EXPECT_NE(row.find(R"("d":["0x)"), std::string::npos);
  EXPECT_EQ(row.find(R"("e":["0x)"), std::string::npos);
  EXPECT_EQ(conversion.remarks(), (Remarks{{left_out, 12}}));
}

}  // namespace
}  // namespace quire
