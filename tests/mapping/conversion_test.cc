// Records as rows: what each part of a mapping does.
#include "mapping/conversion.h"

#include <random>

#include "mapping/conversions.h"
#include "model/comment_json.h"

namespace quire {
namespace {

using Texts = std::vector<std::string>;

// A record of a good comment, with `more` members.
std::string good(const std::string& more = "") {
  return R"({"p": "42", "r": 5, "d": "2025-01-03")" + (more.empty() ? "" : ", " + more) + "}";
}

std::string row_of(const std::string& members, const std::string& more_toml, Given given = {}) {
  Conversion conversion(mapping_in(comment_section(more_toml)), std::move(given));
  return convert_all(conversion, records_in(members)).at(0);
}

constexpr std::string_view head =
    R"({"product":"42","rating":5,"created_at":"2025-01-03T00:00:00.000Z",)";
const std::string empty_texts = R"("author":"","title":"","text":"")";

std::string row_with(const std::string& rest) {
  return std::string(head) + rest + "}";
}

TEST(Conversion, HasTheMembersInTheirOrder) {
  auto toml = comment_section(R"(id.column = "i"
language.column = "l"
author.column = "a"
title.column = "h"
text.column = "t"
status = { column = "s", values = { no = "rejected:fake" } }
pictures.column = "m"
customer.column = "c"
[reply]
text.column = "rt"
author.column = "ra"
[attributes]
z.column = "z"
b.column = "b"
)");
  Conversion conversion(mapping_in("[file]\nsource = \"s\"\n" + toml), {});
  auto rows = convert_all(
      conversion, records_in(good(R"("i": 7, "l": "pt_BR", "a": " Ann ", "h": "H", "t": "a\r\nb",
        "s": "no", "m": "https://a.example/1", "c": 9, "rt": "Thanks", "ra": "Shop", "z": 3,
        "b": true)")));
  EXPECT_EQ(rows.at(0).substr(0, 35), R"({"id":"01JGMQCD00G868N1D8B4KTS2MT",)");
  EXPECT_EQ(
      rows.at(0).substr(35),
      R"("product":"42","language":"pt-BR","rating":5,"created_at":"2025-01-03T00:00:00.000Z",)"
      R"("author":"Ann","title":"H","text":"a\nb","attributes":{"b":true,"source_id":"7","z":3},)"
      R"("media":[{"url":"https://a.example/1"}],"reply":{"author":"Shop","text":"Thanks",)"
      R"("created_at":"2025-01-03T00:00:00.000Z"},"status":"rejected","reason":"fake",)"
      R"("customer_id":"9"})");
}

TEST(Conversion, WithoutAnIdEqualRowsAreTaken) {
  Conversion conversion(mapping_in(comment_section("")), {});
  auto rows = convert_all(conversion, records_in(good() + "," + good()));
  EXPECT_EQ(rows, (Texts{row_with(empty_texts), row_with(empty_texts)}));
}

TEST(Conversion, AnIdIsTakenOnce) {
  Conversion conversion(mapping_in(comment_section("id.column = \"i\"")), {});
  auto rows = convert_all(
      conversion, records_in(R"({"p": "42", "r": 0, "d": "2025-01-03", "i": "1"},)" +
                             good(R"("i": "1")") + "," + good(R"("i": "1", "t": "other")") + "," +
                             good(R"("i": "2")") + "," + good(R"("i": "")") + "," + good()));
  EXPECT_EQ(rows.at(0), "The rating is not above 0: \"0\".");
  EXPECT_NE(rows.at(1).find(R"("source_id":"1")"), std::string::npos);
  EXPECT_EQ(rows.at(2), "the same id again");
  EXPECT_NE(rows.at(3).find(R"("source_id":"2")"), std::string::npos);
  EXPECT_EQ(rows.at(4), row_with(empty_texts)) << "without an id";
  EXPECT_EQ(rows.at(5), row_with(empty_texts));
  EXPECT_EQ(
      row_of(good("\"i\": \"" + std::string(101, 'x') + "\""), "id.column = \"i\"").substr(0, 46),
      "The id is no line of at most 100 characters: \"");
}

TEST(Conversion, ProductsAreMappedGivenOrInATable) {
  Given given{.product = "7"};
  EXPECT_EQ(row_of(good(), "", given).substr(0, 14), R"({"product":"7")");
  auto toml = "product.table = \"ids.csv\"";
  EXPECT_EQ(row_of(good(), toml, {.products = {{"42", "lamp"}}}).substr(0, 17),
            R"({"product":"lamp")");
  EXPECT_EQ(row_of(good(), toml, {.products = {{"43", "lamp"}}}),
            "The product is not in ids.csv: \"42\".");
  EXPECT_EQ(row_of(R"({"r": 5, "d": "2025-01-03"})", ""), "There is no product.");
  EXPECT_EQ(row_of(good(), "product.pattern = \"P#{product}\""),
            "The product is not of the pattern: \"42\".");
  EXPECT_EQ(
      row_of(good(), "product.pattern = \"P#{product}\"\nproduct.default = \"9\"").substr(0, 14),
      R"({"product":"9")");
  Conversion without(mapping_in("[comment]\nrating.column = \"r\"\ncreated_at.column = \"d\""), {});
  EXPECT_FALSE(without.looked());
}

TEST(Conversion, LanguagesAreCanonical) {
  auto language = [](const std::string& members, const std::string& toml, Given given = {}) {
    auto row = row_of(good(members), toml, std::move(given));
    auto at = row.find("\"language\":");
    if (at == row.npos) return row.starts_with("{") ? "none" : row;
    return row.substr(at + 12, row.find('"', at + 12) - at - 12);
  };
  const std::string mapped = "language = { column = \"l\", default = \"de\" }";
  EXPECT_EQ(language(R"("l": "EN_us")", mapped), "en-US");
  EXPECT_EQ(language(R"("l": "")", mapped), "de");
  EXPECT_EQ(language(R"("l": "en")", mapped, {.language = "fr"}), "en");
  EXPECT_EQ(language(R"("l": null)", mapped, {.language = "FR"}), "fr");
  EXPECT_EQ(language("", "", {.language = "fr"}), "fr");
  EXPECT_EQ(language("", ""), "none");
  EXPECT_EQ(language(R"("l": "English")", mapped),
            "The language is no tag such as en, pt-BR or zh-Hant: \"English\".");
  EXPECT_NE(language("", "", {.language = "English"}).find("--language"), std::string::npos);
}

TEST(Conversion, RatingsAndTheirWords) {
  auto rating = [](const std::string& value, const std::string& toml) {
    auto row = row_of(R"({"p": "42", "d": "2025-01-03", "m": {"@max": "10", "#text": "x"})" +
                          (value.empty() ? "" : ", \"r\": " + value) + "}",
                      toml);
    auto at = row.find("\"rating\":");
    return at == row.npos ? row : row.substr(at + 9, 1);
  };
  EXPECT_EQ(rating("5.0", ""), "5");
  EXPECT_EQ(rating("\"4,4\"", ""), "4");
  EXPECT_EQ(rating("", ""), "There is no rating.");
  EXPECT_EQ(rating("null", ""), "There is no rating.");
  EXPECT_EQ(rating("\" \"", ""), "There is no rating.");
  EXPECT_EQ(rating("true", ""), "The rating is no number: \"true\".");
  EXPECT_EQ(rating("6", ""), "The rating is above the greatest, which max tells: \"6\".");
  EXPECT_EQ(rating("8", "rating.max = \"m.@max\""), "4");
  EXPECT_EQ(rating("8", "rating.max = \"m.@min\"").substr(0, 47),
            "The greatest rating is no number above 0, so th");
  EXPECT_EQ(rating("\"4/5\"", "rating.pattern = \"{rating}/5\""), "4");
  EXPECT_EQ(rating("\"4\"", "rating.pattern = \"{rating}/5\""),
            "The rating is not of the pattern: \"4\".");
  const std::string words = "rating.values = { thumbs_up = 5, down = 1, none = \"\" }";
  EXPECT_EQ(rating("\"thumbs_up\"", words), "5");
  EXPECT_EQ(rating("\"none\"", words), "There is no rating.");
  EXPECT_EQ(rating("\"up\"", words), "The rating is a word that its values do not list: \"up\".");
  EXPECT_EQ(rating("\"\"", "rating.values = { \"*\" = 3 }"), "There is no rating.");
  EXPECT_EQ(rating("\"\"", "rating.default = 4"), "4");
}

TEST(Conversion, DatesAreNeeded) {
  auto date = [](const std::string& value, const std::string& toml) {
    auto row = row_of(R"({"p": "42", "r": 5, "e": "2024-12-31", "d": )" + value + "}", toml);
    auto at = row.find("\"created_at\":\"");
    return at == row.npos ? row : row.substr(at + 14, 19);
  };
  for (auto none : {"null", "\"\"", "\"0000-00-00 00:00:00\"", "\"0001-01-01\""}) {
    EXPECT_EQ(date(none, ""), "There is no date, and created_at has no default.");
    EXPECT_EQ(date(none, "created_at.default = \"2020-02-29\""), "2020-02-29T00:00:00");
  }
  EXPECT_EQ(row_of(R"({"p": "4", "r": 5, "d": "0000-00-00", "e": "2024-12-31"})",
                   "when = { column = \"p\", is = \"4\" }"),
            "There is no date, and created_at has no default.");
  EXPECT_EQ(date("1393545600", ""),
            "The date is a number; write format = \"epoch\": \"1393545600\".");
  EXPECT_EQ(date("1393545600", "created_at.format = \"epoch\""), "2014-02-28T00:00:00");
  EXPECT_EQ(date("\"1393545600\"", "created_at.format = \"epoch\""), "2014-02-28T00:00:00");
  EXPECT_EQ(date("\"soon\"", "").substr(0, 26), "The date needs a format, s");
  EXPECT_EQ(date("\"soon\"", "created_at.format = \"DD/MM/YYYY\""),
            "The date is not as its format says: \"soon\".");
  EXPECT_EQ(date("\"X2024-01-01\"", "created_at.pattern = \"X{created_at}\""),
            "2024-01-01T00:00:00");
  EXPECT_EQ(date("\"2024-01-01\"", "created_at.pattern = \"X{created_at}\"").substr(0, 8),
            "The date");
  EXPECT_EQ(date("\"2024-07-01 12:00\"", "created_at.zone = \"Europe/Berlin\""),
            "2024-07-01T10:00:00");
  Conversion two(mapping_in("[file]\nzone = \"Asia/Tokyo\"\n[comment]\nproduct.default = \"1\"\n"
                            "rating.column = \"r\"\ncreated_at.column = [\"d\", \"e\"]\n"),
                 {});
  EXPECT_NE(
      convert_all(two, records_in(R"({"r": 5, "d": "0000-00-00 00:00:00", "e": "2024-12-31"})"))
          .at(0)
          .find("2024-12-30T15:00:00.000Z"),
      std::string::npos);
}

// The sentence has the format that the date would need.
TEST(Conversion, ADateWithTwoMeaningsRefusesTheFile) {
  auto refusal = [](const std::string& records, const std::string& toml = "") {
    return row_of(records, toml);
  };
  auto dated = [](const std::string& date) {
    return R"({"p": "42", "r": 5, "d": ")" + date + "\"}";
  };
  EXPECT_EQ(refusal(good() + "," + dated("03.04.2025 10:11")),
            "Line 2: the date 03.04.2025 10:11 has two meanings. Write format = \"DD.MM.YYYY "
            "HH:mm\" or format = \"MM.DD.YYYY HH:mm\" in created_at of the mapping.");
  EXPECT_NE(refusal(dated("3/4/25 10:11:12")).find("DD/MM/YY HH:mm:ss"), std::string::npos);
  EXPECT_NE(refusal(dated("3/4/2025 9:11 AM")).find("\"DD/MM/YYYY h:mm A\""), std::string::npos);
  EXPECT_EQ(refusal(dated("31/12/2025")).substr(0, 7), "Line 1:");
  EXPECT_EQ(refusal(dated("03/04/2025"), "created_at.format = \"MM/DD/YYYY\"").substr(0, 1), "{");
  EXPECT_EQ(refusal(dated("03/04/2025"), "when = { column = \"p\", is = \"1\" }"),
            "records that when does not admit");
  auto reply = "[reply]\ntext.column = \"t\"\ncreated_at.column = \"rd\"";
  EXPECT_NE(refusal(good(R"("rd": "3/4/2025")"), reply).find("in created_at of [reply]"),
            std::string::npos);
}

TEST(Conversion, AStatusHasTheWordsOfItsOwner) {
  auto status = [](const std::string& value, const std::string& toml) {
    auto row = row_of(good(value.empty() ? "" : "\"s\": " + value), toml);
    auto at = row.find(",\"status\"");
    return !row.starts_with("{") ? row : at == row.npos ? "" : row.substr(at);
  };
  const std::string words = R"(status = { column = "s", values = { ok = "published",
    spam = "rejected:spam", true = "pending", "1" = "published" } })";
  // TOML 1.0 keeps inline tables in one line.
  auto line = words;
  line.erase(line.find('\n'), 1);
  EXPECT_EQ(status("\"ok\"", line), "");
  EXPECT_EQ(status("1", line), "");
  EXPECT_EQ(status("true", line), R"(,"status":"pending"})");
  EXPECT_EQ(status("\"spam\"", line), R"(,"status":"rejected","reason":"spam"})");
  EXPECT_EQ(status("\"\"", line), "");
  EXPECT_EQ(status("", line), "");
  EXPECT_EQ(status("\"new\"", line), "The status is a word that its values do not list: \"new\".");
  const std::string others = R"(status = { column = "s", values = { "*" = "pending" } })";
  EXPECT_EQ(status("\"new\"", others), R"(,"status":"pending"})");
  EXPECT_EQ(status("", others), R"(,"status":"pending"})");
  const std::string own = R"(status = { column = "s", default = "pending" })";
  EXPECT_EQ(status("\"published\"", own), "");
  EXPECT_EQ(status("", own), R"(,"status":"pending"})");
  EXPECT_EQ(status("\"rejected:fake\"", own), R"(,"status":"rejected","reason":"fake"})");
  EXPECT_EQ(status("\"rejected\"", own), R"(,"status":"rejected","reason":"other"})");
  EXPECT_EQ(status("\"gone\"", own).substr(0, 30), "The status is not published, p");
}

TEST(Conversion, WhenHasConditions) {
  auto admitted = [](const std::string& members, const std::string& when) {
    return row_of(good(members), "when = " + when).starts_with("{");
  };
  EXPECT_TRUE(admitted(R"("k": "C#1")", R"({ column = "k", begins = "C#" })"));
  EXPECT_FALSE(admitted(R"("k": "D#1")", R"({ column = "k", begins = "C#" })"));
  EXPECT_TRUE(admitted(R"("k": "D#1")", R"({ column = "k", begins = ["C#", "D#"], ends = "1" })"));
  EXPECT_FALSE(admitted(R"("k": "D#2")", R"({ column = "k", begins = ["C#", "D#"], ends = "1" })"));
  EXPECT_TRUE(admitted(R"("k": 0)", R"({ column = "k", is = [0, 1] })"));
  EXPECT_TRUE(admitted(R"("k": true)", R"({ column = "k", is = true })"));
  EXPECT_FALSE(admitted(R"("k": "pingback")", R"({ column = "k", not = ["pingback", "x"] })"));
  EXPECT_TRUE(admitted(R"("k": "")", R"({ column = "k", not = ["pingback", "x"] })"));
  EXPECT_TRUE(admitted("", R"({ column = "k", not = "x" })"));
  EXPECT_FALSE(admitted("", R"({ column = "k", not = "x", begins = "C" })"));
  EXPECT_FALSE(admitted("", R"({ column = "k", is = "" })"));
  EXPECT_TRUE(admitted(R"("k": "")", R"({ column = "k", is = "" })"));
  EXPECT_TRUE(admitted(R"("l": "x")", R"({ column = ["k", "l"], is = "x" })"));
  EXPECT_FALSE(admitted(R"("k": "1", "l": "2")",
                        R"([{ column = "k", is = "1" }, { column = "l", not = "2" }])"));
}

TEST(Conversion, ATitleGoesWhereTheTextBeginsWithIt) {
  auto title = [](const std::string& title, const std::string& text) {
    auto row = row_of(good("\"h\": \"" + title + "\", \"t\": \"" + text + "\""),
                      "title = { column = \"h\", unless_in_text = true }\ntext.column = \"t\"");
    auto at = row.find("\"title\":\"") + 9;
    return row.substr(at, row.find("\",\"text\"") - at);
  };
  EXPECT_EQ(title("Nice mug", "Nice mug, and warm"), "");
  EXPECT_EQ(title("Nice m...", "Nice mug"), "");
  EXPECT_EQ(title("Nice …", "Nice mug"), "");
  EXPECT_EQ(title("Nice mug", "Nice"), "Nice mug");
  EXPECT_EQ(title("Good", "Nice mug"), "Good");
}

TEST(Conversion, TextsHaveTheirWordsHtmlAndReplacements) {
  auto row = row_of(good(R"("a": "Anonymous", "b": "A customer", "h": "<b>x</b> &amp; y",
                         "t": "<b>x</b> &amp; y")"),
                    "author = { column = [\"a\", \"b\"], values = { Anonymous = \"\" } }\n"
                    "title = { column = \"h\", html = true, replace = [\"x\", \"z\"] }\n"
                    "text.column = \"t\"\n");
  EXPECT_EQ(row, row_with(R"("author":"","title":"z & y","text":"<b>x</b> &amp; y")"));
  row = row_of(good(R"("a": "", "b": "A customer")"),
               "author = { column = [\"a\", \"b\"], values = { Anonymous = \"\" } }");
  EXPECT_EQ(row, row_with(R"("author":"A customer","title":"","text":"")"));
  row = row_of(good(), "author = { column = \"a\", default = \"Guest\" }");
  EXPECT_EQ(row, row_with(R"("author":"Guest","title":"","text":"")"));
}

// What comes of a record is a row that the importer reads, in one line.
TEST(Conversion, AnyRecordIsReadOrRefused) {
  const auto mapping = mapping_in(comment_section(R"(id.column = "i"
language.column = "l"
author = { column = "a", html = true }
text.column = "t"
status = { column = "s", values = { x = "pending", "*" = "published" } }
customer.column = "c"
[attributes]
f = { column = "f", type = "flag" }
n = { column = "n", type = "number" }
g = { column = "g", type = "tags" }
v = { column = "v" }
[reply]
text.column = "q.0.z"
)"));
  constexpr std::string_view values[] = {"\"5\"",
                                         "5",
                                         "4.5",
                                         "-1",
                                         "1e30",
                                         "true",
                                         "false",
                                         "null",
                                         "\"\"",
                                         "\"x\"",
                                         "[]",
                                         "[1, \"a\"]",
                                         "{}",
                                         R"({"#text": "t", "z": "y"})",
                                         R"([{"z": "q"}])",
                                         "\"2025-01-03\"",
                                         "\"\\u0001\\u2028\"",
                                         "\"en\"",
                                         "\"<p>&\"",
                                         "18446744073709551615",
                                         "\"a,b;c|d\""};
  constexpr std::string_view names[] = {"p", "r", "d", "i", "l", "a", "t",
                                        "s", "c", "f", "n", "g", "v", "q"};
  std::mt19937_64 random(3);
  std::size_t rows = 0;
  Conversion conversion(mapping, {});
  for (int round = 0; round < 20'000; ++round) {
    std::string record = R"({"p": "42", "r": 5, "d": "2025-01-03")";
    for (auto left = random() % 6; left > 0; --left)
      record.append(", \"")
          .append(names[random() % std::size(names)])
          .append("\": ")
          .append(values[random() % std::size(values)]);
    auto result = conversion.convert(records_in(record + "}").at(0));
    auto* rejected = std::get_if<Rejected>(&result);
    if (rejected) {
      EXPECT_TRUE(rejected->reason.ends_with('.'));
    }
    auto* row = std::get_if<ConvertedRow>(&result);
    if (!row) continue;
    ++rows;
    EXPECT_EQ(row->json.find('\n'), std::string::npos);
    auto parsed = parse_row(row->json);
    EXPECT_TRUE(parsed) << row->json << parsed.error().message;
  }
  EXPECT_GT(rows, 2000u);
}

}  // namespace
}  // namespace quire
