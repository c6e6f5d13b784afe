// Reading comments, patches and import rows from JSON. Every error names its field.
#include "model/comment_json.h"

#include <gtest/gtest.h>

#include "model/validate.h"

namespace quire {
namespace {

// "field message; field message", or "ok", or the error's message when no field is at fault.
template <class T>
std::string outcome(const Result<T>& result) {
  if (result) return "ok";
  EXPECT_EQ(result.error().code, ErrorCode::invalid_comment);
  std::string out;
  for (const auto& field : result.error().fields) {
    out += (out.empty() ? "" : "; ") + field.field + " " + field.message;
  }
  return out.empty() ? result.error().message : out;
}

std::string draft(std::string_view json) {
  return outcome(parse_draft(json, "42"));
}
std::string patch(std::string_view json) {
  return outcome(parse_patch(json));
}
std::string row(std::string_view json) {
  return outcome(parse_row(json));
}
Row comment_row(std::string_view json) {
  return std::get<Row>(parse_row(json).value());
}

constexpr auto bad_time =
    "created_at must be an RFC 3339 time from 1970 to 9999, such as 2024-11-20T12:01:00.123Z";
constexpr auto bad_id = "id must be a ULID, 26 characters, of a time from 1970 to 9999";

TEST(ParseDraft, TakesNoNameTwice) {
  EXPECT_EQ(draft(R"({"rating":5,"rating":1})"), "rating is given twice");
  EXPECT_EQ(draft(R"({"rating":5,"text":"a","text":"a"})"), "text is given twice")
      << "not even with the same value";
  EXPECT_EQ(draft(R"({"rating":5,"r\u0061ting":1})"), "rating is given twice") << "in any spelling";
  EXPECT_EQ(draft(R"({"rating":5,"x":{"y":1,"y":2}})"), "y is given twice");
  EXPECT_EQ(draft(R"({"rating":5,"x":[{"y":1},{"y":2}]})"), "x is not a field of a comment")
      << "of two objects each has its own names";
  EXPECT_EQ(patch(R"({"rating":5,"rating":1})"), "rating is given twice");
  EXPECT_EQ(row(R"({"product":"a","rating":5,"created_at":"2024-11-20T12:01:00Z","product":"b"})"),
            "product is given twice");
  std::string many = R"({"rating":5)";
  for (int i = 0; i < 9'000; ++i) many += ",\"a" + std::to_string(i) + "\":1";
  EXPECT_EQ(draft(many + R"(,"a7":1})"), "a7 is given twice");
  for (int i = 0; i < 1'000; ++i) many += ",\"a7\":1";
  EXPECT_EQ(draft(many + "}"), "This has more than 10000 names.") << "and is not built";
}

TEST(ParseDraft, ReadsEveryField) {
  auto draft = parse_draft(R"({"language":"de","rating":4,"author":"Ann","title":"Gut",
    "text":"a\nb\u00e9","created_at":"2024-11-20T12:01:00.123Z"})",
                           "42");
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->product, "42");
  EXPECT_EQ(draft->language, "de");
  EXPECT_EQ(draft->rating, 4);
  EXPECT_EQ(draft->author, "Ann");
  EXPECT_EQ(draft->title, "Gut");
  EXPECT_EQ(draft->text, "a\nbé");
  EXPECT_EQ(draft->created_ms, 1732104060123u);
}

TEST(ParseDraft, ARatingIsAllItNeeds) {
  auto draft = parse_draft(R"({"rating":1})", "42");
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->language, "und");
  EXPECT_EQ(draft->author + draft->title + draft->text, "");
  EXPECT_EQ(draft->created_ms, std::nullopt);
}

TEST(ParseDraft, RefusesTextThatIsNoJsonObject) {
  for (auto text : {"", "{", "{\"rating\":5}x", "{\"rating\":5,}", "{'rating':5}", "\xFF"}) {
    EXPECT_TRUE(draft(text).starts_with("This is not JSON: ")) << draft(text);
  }
  EXPECT_TRUE(draft("{\"rating\":5,\"text\":\"\xED\xA0\x80\"}").starts_with("This is not JSON"));
  EXPECT_TRUE(draft("[[[[[[[[[[]]]]]]]]]]").starts_with("This is not JSON"));
  for (auto text : {"null", "5", "\"a\"", "[]", "[{\"rating\":5}]"}) {
    EXPECT_EQ(draft(text), "This must be a JSON object.");
  }
}

TEST(ParseDraft, ARatingIsAWholeNumberFromOneToFive) {
  EXPECT_EQ(draft("{}"), "rating is missing");
  for (auto value : {"0", "6", "-1", "5.0", "4.5", "1e0", "\"5\"", "true", "null", "[5]", "{}",
                     "99999999999999999999", "4294967297", "18446744073709551615"}) {
    EXPECT_EQ(draft(std::string("{\"rating\":") + value + "}"),
              "rating must be a whole number from 1 to 5")
        << value;
  }
}

TEST(ParseDraft, TextsAreStrings) {
  for (std::string field : {"language", "author", "title", "text", "created_at"}) {
    for (std::string value : {"5", "null", "true", "[]", "{}"}) {
      EXPECT_EQ(draft("{\"rating\":5,\"" + field + "\":" + value + "}"),
                field + " must be a string");
    }
  }
}

TEST(ParseDraft, ATimeIsRfc3339) {
  EXPECT_EQ(draft(R"({"rating":5,"created_at":"yesterday"})"), bad_time);
  EXPECT_EQ(draft(R"({"rating":5,"created_at":""})"), bad_time);
  EXPECT_EQ(draft(R"({"rating":5,"created_at":"1969-12-31T23:59:59Z"})"), bad_time);
}

TEST(ParseDraft, RefusesUnknownFields) {
  EXPECT_EQ(draft(R"({"rating":5,"Text":"a"})"), "Text is not a field of a comment");
  EXPECT_EQ(draft(R"({"rating":5,"product":"a"})"), "product is not a field of a comment");
  EXPECT_EQ(draft(R"({"rating":5,"id":"a"})"), "id is not a field of a comment");
  EXPECT_EQ(draft(R"({"rating":5,"":1})"), " is not a field of a comment");
}

TEST(ParseDraft, AnUnknownFieldsLongNameIsCutBetweenCharacters) {
  for (std::string lead : {"", "a", "aa", "aaa"}) {
    std::string name = lead;
    for (int i = 0; i < 40; ++i) name += "😀";
    auto result = parse_draft("{\"rating\":5,\"" + name + "\":1}", "42");
    ASSERT_FALSE(result);
    auto named = result.error().fields.at(0).field;
    EXPECT_TRUE(name.starts_with(named));
    EXPECT_LE(named.size(), 100u);
    EXPECT_GT(named.size(), 96u);
    EXPECT_TRUE(characters(named, "")) << lead.size();
  }
}

TEST(ParseDraft, NamesEveryFieldAtFault) {
  EXPECT_EQ(
      draft(R"({"language":1,"rating":9,"author":2,"title":3,"text":4,"created_at":5,"x":6})"),
      "language must be a string; rating must be a whole number from 1 to 5; author must be a "
      "string; title must be a string; text must be a string; created_at must be a string; "
      "x is not a field of a comment");
}

TEST(ParseDraft, NamesWrongTypesTogetherWithWrongValues) {
  EXPECT_EQ(draft(R"({"rating":5,"language":"E","title":7,"x":1})"),
            "title must be a string; language must be a language tag of language, script and "
            "region, such as en, pt-BR or zh-Hant; "
            "x is not a field of a comment");
}

TEST(ParseDraft, ChecksWhatItRead) {
  EXPECT_EQ(draft(R"({"rating":5,"language":"E"})"),
            "language must be a language tag of language, script and region, such as en, pt-BR or "
            "zh-Hant");
  EXPECT_EQ(draft(R"({"rating":5,"text":"\u0000"})"),
            "text must be UTF-8 without control characters other than newline and tab");
  EXPECT_EQ(outcome(parse_draft(R"({"rating":5})", "")),
            "product must be 1 to 256 bytes of UTF-8 without control characters, and neither . nor "
            ".. alone");
}

TEST(ParsePatch, TakesTheFieldsPresentAndNoOthers) {
  auto patch = parse_patch(R"({"rating":2,"title":"New"})");
  ASSERT_TRUE(patch);
  EXPECT_EQ(patch->rating, 2);
  EXPECT_EQ(patch->title, "New");
  EXPECT_FALSE(patch->language || patch->author || patch->text);
  EXPECT_TRUE(parse_patch("{}"));
}

TEST(ParsePatch, NullEmptiesATextButNotAFacet) {
  auto emptied = parse_patch(R"({"author":null,"title":null,"text":null})");
  ASSERT_TRUE(emptied);
  EXPECT_EQ(emptied->author, "");
  EXPECT_EQ(emptied->title, "");
  EXPECT_EQ(emptied->text, "");
  EXPECT_EQ(patch(R"({"language":null})"), "language must be a string");
  EXPECT_EQ(patch(R"({"rating":null})"), "rating must be a whole number from 1 to 5");
}

TEST(ParsePatch, RefusesFieldsThatCannotBeChanged) {
  for (std::string field : {"id", "product", "created_at", "ratign"}) {
    EXPECT_EQ(patch("{\"" + field + "\":\"a\"}"), field + " is not a field of a comment");
  }
}

TEST(ParsePatch, NamesEveryFieldAtFault) {
  EXPECT_EQ(
      patch(R"({"language":1,"rating":0,"author":1,"title":1,"text":1})"),
      "language must be a string; rating must be a whole number from 1 to 5; author must be a "
      "string; title must be a string; text must be a string");
  EXPECT_EQ(patch(R"({"language":"x"})"),
            "language must be a language tag of language, script and region, such as en, pt-BR or "
            "zh-Hant");
}

constexpr std::string_view published_row =
    R"({"product":"42","rating":5,"created_at":"2024-11-20T12:01:00.123Z",)";

TEST(ParseRow, HasTheDecisionOfAnEarlierTime) {
  std::string begin(published_row);
  auto decided = comment_row(begin + R"("note":"Known","held_by":"links","decided":true})");
  EXPECT_EQ(decided.draft.moderation,
            (Moderation{.note = "Known", .held_by = "links", .decided = true}));
  EXPECT_FALSE(comment_row(begin + R"("status":"published"})").draft.moderation.decided)
      << "an import decides nothing by itself";
  auto held = comment_row(begin + R"("status":"rejected","reason":"spam",)"
                                  R"("held_at":"1970-01-01T00:00:00.007Z"})");
  EXPECT_EQ(held.draft.moderation,
            (Moderation{.status = CommentStatus::rejected, .reason = "spam", .held_ms = 7}));
  EXPECT_EQ(row(begin + R"("status":"pending","decided":true})"),
            "decided belongs to a published comment");
  EXPECT_EQ(row(begin + R"("decided":1})"), "decided must be true or false");
}

TEST(ParseRow, MayBeAReportInAnyForm) {
  constexpr std::string_view texts[] = {
      R"({"report":{"comment":"01ARZ3NDEKTSV4RRFFQ69G5FAV","person":"0102030405060708090a0b0c0d0e0f10","at":"1970-01-01T00:00:00.007Z","reason":"spam","note":"Look","answered":true}})",
      R"( { "report" : { "note" : "Look", "reason" : "sp\u0061m", "answered" : true, "at" : "1970-01-01T01:00:00.007+01:00", "person" : "0102030405060708090A0B0C0D0E0F10", "comment" : "01arz3ndektsv4rrffq69g5fav" } } )",
      R"({"r\u0065port":{"answered":true,"comment":"01ARZ3NDEKTSV4RRFFQ69G5FAV","person":"0102030405060708090a0b0c0d0e0f10","at":"1970-01-01T00:00:00.007Z","reason":"spam","note":"Look"}})"};
  for (auto text : texts) {
    auto parsed = parse_row(text);
    ASSERT_TRUE(parsed) << text << outcome(parsed);
    const auto& [comment, report] = std::get<ReportRow>(*parsed);
    EXPECT_EQ(report_json(comment, report), texts[0]);
  }
}

TEST(ParseRow, AReportMayHaveAContact) {
  constexpr std::string_view text =
      R"({"report":{"comment":"01ARZ3NDEKTSV4RRFFQ69G5FAV","person":"0102030405060708090a0b0c0d0e0f10","at":"1970-01-01T00:00:00.007Z","reason":"unlawful","note":"","name":"Ann","mail":"ann@example.com","decided_at":"1970-01-01T00:00:00.009Z"}})";
  auto parsed = parse_row(text);
  ASSERT_TRUE(parsed) << outcome(parsed);
  const auto& [comment, report] = std::get<ReportRow>(*parsed);
  EXPECT_EQ(report.contact, (Contact{"Ann", "ann@example.com", 9}));
  EXPECT_EQ(report_json(comment, report, true), text);
  EXPECT_EQ(report_json(comment, report).find("Ann"), std::string::npos);
  EXPECT_EQ(report_json(comment, report).find("decided_at"), std::string::npos);
}

TEST(ParseRow, AReportThatLacksSomethingIsRefused) {
  EXPECT_EQ(row(R"({"report":7})"), "report must be an object, and alone");
  EXPECT_EQ(row(R"({"report":{},"product":"42"})"), "report must be an object, and alone");
  EXPECT_EQ(
      row(R"({"report":{"reason":"spam","answered":0}})"),
      "comment must be the id of a comment; person must be 32 digits of hex; answered must be "
      "true or false");
}

TEST(ParseRow, HasAProductAndATime) {
  auto row = comment_row(R"({"product":"42","rating":5,"created_at":"2024-11-20T12:01:00.123Z"})");
  EXPECT_EQ(row.draft.product, "42");
  EXPECT_EQ(row.draft.created_ms, 1732104060123u);
  EXPECT_EQ(row.id, std::nullopt);
}

TEST(ParseRow, AnIdHasATime) {
  auto row = comment_row(R"({"product":"42","rating":5,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"})");
  EXPECT_EQ(row.id, Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_EQ(row.draft.created_ms, row.id->ms());
}

TEST(ParseRow, AnIdAndATimeMustAgree) {
  std::string begin =
      R"({"product":"42","rating":5,"id":"01ARYZ6S41TSV4RRFFQ69G5FAV","created_at":)";
  EXPECT_EQ(row(begin + "\"2016-07-30T22:36:16.385Z\"}"), "ok");
  EXPECT_EQ(row(begin + "\"2016-07-30T22:36:16.386Z\"}"), "id has another time than created_at");
  EXPECT_EQ(row(begin + "\"never\"}"), bad_time);
}

TEST(ParseRow, AnIdOfATimeThatHasNoTextIsRefused) {
  auto with_id = [](std::uint64_t ms) {
    return R"({"product":"42","rating":5,"id":")" + Ulid::make(ms, {}).text() + "\"}";
  };
  EXPECT_EQ(row(with_id(max_time_ms)), "ok");
  EXPECT_EQ(row(with_id(max_time_ms + 1)), bad_id);
  EXPECT_EQ(row(with_id(Ulid::max_ms)), bad_id);
}

TEST(ParseRow, NamesMissingAndWrongFields) {
  EXPECT_EQ(row(R"({"product":"42"})"), "rating is missing; created_at is missing");
  EXPECT_EQ(row(R"({"product":"42","rating":5,"id":"abc"})"), bad_id);
  EXPECT_EQ(row(R"({"product":"42","rating":5,"id":7})"), "id must be a string");
  EXPECT_EQ(row(R"({"product":true,"rating":5,"created_at":"2024-11-20T12:01:00Z"})"),
            "product must be a string");
  EXPECT_EQ(row(R"({"rating":5,"created_at":"2024-11-20T12:01:00Z"})"),
            "product must be 1 to 256 bytes of UTF-8 without control characters, and neither . nor "
            ".. alone");
  EXPECT_EQ(row(R"({"product":"42","rating":5,"created_at":"2024-11-20T12:01:00Z","stars":5})"),
            "stars is not a field of a comment");
}

// The members of a row as Quire writes them, then as other programs do.
const std::vector<std::vector<std::string_view>> members_of_rows = {
    {R"("product":"42")", R"("product":42)", R"("product":42.0)"},
    {R"("rating":5)", R"("rating":5.0)", R"("rating":"5")", R"("rating":"5.0")", R"("rating":5e0)"},
    {R"("created_at":"2024-11-20T12:01:00.000Z")", R"("created_at":"2024-11-20T12:01Z")",
     R"("created_at":"2024-11-20T13:01:00+0100")", R"("created_at":"2024-11-20T12:01:00")",
     R"("created_at":"2024-11-20 12:01:00 UTC")"},
    {R"("language":"und")", R"("language":null)", R"("language":"")", R"("status":null)"},
    {R"("author":"7")", R"("author":7)"},
    {R"("title":"")", R"("title":null)", R"("id":null)", R"("reason":null,"note":null)"},
    {R"("text":"100")", R"("text":100)", R"("text":100.0)"},
    {R"("customer_id":"18446744073709551615")", R"("customer_id":18446744073709551615)"},
    {R"("attributes":{"title":5})", R"("attributes":{"title":5,"size":null})"},
    {R"("media":[{"url":"https://a.b/c","width":3,"height":2},{"url":"https://a.b/d"}])",
     R"("media":[{"url":"https://a.b/c","width":3.0,"height":"2","alt":null},)"
     R"({"url":"https://a.b/d","width":null,"height":null}])"},
    {R"("reply":{"text":"1","created_at":"2024-11-21T00:00:00Z"})",
     R"("reply":{"author":null,"text":1,"created_at":"2024-11-21"})"}};

TEST(ParseRow, IsReadAsOtherProgramsWriteIt) {
  auto comment = [](const std::vector<std::string_view>& members) {
    std::string json;
    for (auto member : members) json.append(json.empty() ? "{" : ",").append(member);
    auto row = parse_row(json + "}");
    EXPECT_TRUE(row) << json << outcome(row);
    if (!row) return std::pair(Comment(), json);
    auto& [draft, id, customer, lacks] = std::get<Row>(*row);
    EXPECT_EQ(draft.created_ms, 1'732'104'060'000u) << json;
    return std::pair(comment_of({}, draft), customer);
  };
  std::vector<std::string_view> own, other;
  for (const auto& forms : members_of_rows) own.push_back(forms.front());
  const auto wanted = comment(own);
  for (std::size_t i = 0; i < own.size(); ++i) {
    auto members = own;
    for (auto form : members_of_rows[i]) {
      members[i] = form;
      EXPECT_EQ(comment(members), wanted) << form;
    }
    other.push_back(members_of_rows[i].back());
  }
  EXPECT_EQ(comment(other), wanted);
  for (const auto& forms : members_of_rows)
    for (auto form : forms) {
      if (form == forms.front()) continue;
      std::string rating = form.starts_with("\"rating\"") ? "{" : "{\"rating\":5,";
      EXPECT_FALSE(parse_draft(rating + std::string(form) + "}", "42")) << form;
    }
}

TEST(ParseRow, OfAnotherFormIsRefused) {
  auto with = [](std::string_view member) {
    std::string json = R"({"product":"42","rating":5,"created_at":"2024-11-20T12:01:00Z",)";
    auto name = member.substr(0, member.find(':'));
    if (auto at = json.find(name); at != json.npos) json.erase(at, json.find(',', at) + 1 - at);
    return row(json.append(member) + "}");
  };
  for (auto rating : {"4.5", "\"4.5\"", "0.0", "6.0", "\"\"", "\"five\"", "\"5 of 5\"", "\" 5\"",
                      "\"0x5\"", "\"nan\"", "1e300", "\"1e300\"", "true", "[5]"})
    EXPECT_EQ(with(std::string("\"rating\":") + rating),
              "rating must be a whole number from 1 to 5")
        << rating;
  EXPECT_EQ(with(R"("rating":null)"), "rating is missing");
  for (auto product : {"4.5", "true", "[42]", "{}", "1e16"})
    EXPECT_EQ(with(std::string("\"product\":") + product), "product must be a string") << product;
  for (auto time : {"yesterday", "20/11/2024", "2024-11-20T12:01:00 CET", "1732104060", ""})
    EXPECT_EQ(with("\"created_at\":\"" + std::string(time) + "\""), bad_time) << time;
  EXPECT_EQ(with(R"("created_at":null)"), "created_at is missing");
  EXPECT_EQ(with(R"("created_at":1732104060)"), "created_at must be a string");
  EXPECT_EQ(with(R"("stars":5)"), "stars is not a field of a comment");
  EXPECT_EQ(with(R"("attributes":{"helpful":8.0})").substr(0, 33),
            "attributes.helpful must be a whol");
  EXPECT_EQ(with(R"("media":[null])"),
            "media must be an array of at most 8 objects of url, width, height, alt");
  EXPECT_EQ(row("null"), "This must be a JSON object.");
  EXPECT_EQ(row("[{}]"), "This must be a JSON object.");
}

TEST(ParseRow, AKeyOfCustomersStandsAlone) {
  auto key = parse_row(customer_key_json("0f"));
  EXPECT_EQ(std::get<CustomerKeyRow>(key.value()).check, "0f");
  EXPECT_EQ(row(R"({"customer_key":7})"), "customer_key must be a string");
  EXPECT_EQ(row(R"({"customer_key":"0f","rating":5})"), "rating is not a field of a comment");
}

}  // namespace
}  // namespace quire
