#include "records/xml.h"

#include "records/read.h"

namespace quire::records {
namespace {

Lines reviews(std::string_view text) {
  return cut_rows_of(text, {.rows = "review"});
}

TEST(Xml, HasTheElementsOfANameAsRows) {
  EXPECT_EQ(reviews("<?xml version='1.0'?>\n<feed><review><a>1</a></review>\n<x><review>\n<a>2</a>"
                    "</review></x></feed>\n"),
            (Lines{R"(2 {"a":"1"})", R"(3 {"a":"2"})"}));
  EXPECT_EQ(reviews("<review>\n<a>1</a></review>"), Lines{R"(1 {"a":"1"})"});
  EXPECT_EQ(reviews("<feed/>"), Lines{});
}

TEST(Xml, HasValuesOfEachForm) {
  EXPECT_EQ(
      reviews(
          "<f><review id='7' xml:lang=\"de\"><a> x &amp; &#x1F499; </a><b/><c n='1'/><d n='2'>t</d>"
          "<e><f>1</f>\n<f>2</f> <f>3</f></e><g>u<h/>v</g>w</review></f>"),
      Lines{
          R"(1 {"@id":"7","@lang":"de","a":" x & 💙 ","b":"","c":{"@n":"1"},)"
          R"("d":{"@n":"2","#text":"t"},"e":{"f":["1","2","3"]},"g":{"h":"","#text":"uv"},"#text":"w"})"});
}

TEST(Xml, HasLocalNames) {
  EXPECT_EQ(cut_rows_of("<w:f xmlns:w='urn:w' xmlns='urn:x' xmlns:y='urn:y'><w:comment y:id='1'>"
                        "<w:a>2</w:a><b>3</b></w:comment><comment/></w:f>",
                        {.rows = "w:comment"}),
            (Lines{R"(1 {"@id":"1","a":"2","b":"3"})", "1 {}"}));
  EXPECT_EQ(reviews("<z:f><z:review z:i='1'/></z:f>"), Lines{R"(1 {"@i":"1"})"});
}

TEST(Xml, HasTextsOfCdata) {
  EXPECT_EQ(reviews("<f><review><a><![CDATA[<b>R&D</b>]]> and "
                    "<![CDATA[]]]]><![CDATA[>]]></a><c><!-- no -->x<?no?>y</c>"
                    "</review></f>"),
            Lines{R"(1 {"a":"<b>R&D</b> and ]]>","c":"xy"})"});
}

// Of rows that are read later: some rows are ready when the first is taken.
TEST(Xml, KeepsOnlyTheChildrenThatAreNeeded) {
  const std::string row =
      "<review id='7'><a>1</a><b x='2'><a>3</a><review>4</review></b><c><d>5</d></c>t</review>\n";
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += row;
  auto file = file_of("<f>" + rows + "<review><b>" + std::string(max_row, 'x') +
                      "</b></review><review><a>6</a></review></f>");
  auto reader = Reader::open(file, {.rows = "review"});
  ASSERT_TRUE(reader);
  ASSERT_TRUE((*reader)->next());
  (*reader)->keep_only({"c", "none"});
  auto lines = read_rows(**reader, file);
  ASSERT_EQ(lines.size(), 1001u);
  EXPECT_EQ(lines[998], R"(1000 {"@id":"7","c":{"d":"5"},"#text":"t"})");
  EXPECT_EQ(lines[999], "1001 bad: The row has over 1 MiB. ") << "whatever is kept of it";
  EXPECT_EQ(lines[1000], "1001 {}");
}

TEST(Xml, HasRowsWithinARowAsChildren) {
  EXPECT_EQ(reviews("<f><review><review><a>1</a></review><b>2</b></review></f>"),
            Lines{R"(1 {"review":{"a":"1"},"b":"2"})"});
}

TEST(Xml, HasLinesInWhichTagsBegin) {
  EXPECT_EQ(reviews("\n\n<f>\n<review\n\n a='1'\n>\n</review>\n<review/></f>"),
            (Lines{R"(4 {"@a":"1"})", "9 {}"}));
}

TEST(Xml, HasWhatIsAroundARow) {
  EXPECT_EQ(
      reviews("<feed day='1'><shop><name>s</name></shop><product "
              "id='p'><name>x</name><review><a>1</a></review>"
              "<name>y</name><review><a>2</a></review></product><late/>"
              "<product id='q'><review><a>3</a></review></product></feed>"),
      (Lines{
          R"(1 feed{"@day":"1","shop":{"name":"s"}} product{"@id":"p","name":"x"} {"a":"1"})",
          R"(1 feed{"@day":"1","shop":{"name":"s"}} product{"@id":"p","name":["x","y"]} {"a":"2"})",
          R"(1 feed{"@day":"1","shop":{"name":"s"},"late":""} product{"@id":"q"} {"a":"3"})"}));
}

TEST(Xml, LeavesOutWhatHasRowsAroundARow) {
  EXPECT_EQ(reviews("<c><item><n>0</n></item><item><n>1</n><review><a>1</a></review></"
                    "item><item><n>2</n></item>"
                    "<item><n>3</n><review><a>2</a></review></item></c>"),
            (Lines{R"(1 item{"n":"1"} {"a":"1"})", R"(1 item{"n":"3"} {"a":"2"})"}));
}

TEST(Xml, BoundsWhatIsAroundARow) {
  std::string text = "<c><i><long>" + std::string(5000, 'x') + "</long><s>1</s>";
  for (int i = 0; i < 2000; ++i) text += "<m>some words in a child</m>";
  text += "<s>2</s><review/></i></c>";
  auto rows = rows_of(text, {.rows = "review"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].starts_with(R"(1 i{"s":["1","2"],"m":["some words in a child",)"))
      << rows[0].substr(0, 99);
  EXPECT_LT(rows[0].size(), 20'000u);
  text = "";
  for (int level = 0; level < 80; ++level) {
    auto name = "l" + std::to_string(level);
    text +=
        "<" + name + "><k>" + std::string(3900, 'k') + "</k><k>" + std::string(3900, 'k') + "</k>";
  }
  text += "<review/>";
  for (int level = 79; level >= 0; --level) text += "</l" + std::to_string(level) + ">";
  rows = rows_of(text, {.rows = "review"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_LT(rows[0].size(), 70'000u);
  EXPECT_NE(rows[0].find("l79{"), std::string::npos);
}

TEST(Xml, CostsARowThatIsTooLong) {
  for (std::string part :
       {std::string(3 * max_row, 'x'), "<![CDATA[" + std::string(3 * max_row, 'x') + "]]>", [] {
          std::string children;
          while (children.size() < 2 * max_row) children += "<b>some words</b>";
          return children;
        }()})
    EXPECT_EQ(rows_of("<f><review>\n<a>" + part + "</a></review><review><a>2</a></review></f>",
                      {.rows = "review"}),
              (Lines{"1 bad: The row has over 1 MiB. ", R"(2 {"a":"2"})"}));
  EXPECT_EQ(
      rows_of("<f><a>" + std::string(3 * max_row, 'x') + "</a><review/></f>", {.rows = "review"}),
      Lines{"1 {}"});
}

TEST(Xml, RefusesATagOrCommentThatIsTooLong) {
  for (std::string part : {"<a b='", "<!--", "<?a ", "<!DOCTYPE a ["}) {
    auto rows =
        rows_of("<f><review/>\n" + part + std::string(8 * max_row, 'x'), {.rows = "review"});
    if (part.starts_with("<!D")) {
      rows = rows_of(part + std::string(8 * max_row, ' '), {.rows = "review"});
      rows.insert(rows.begin(), "1 {}");
    }
    ASSERT_EQ(rows.size(), 2u) << part;
    EXPECT_NE(rows[1].find("The XML has a tag or comment of over 1 MiB."), std::string::npos)
        << rows[1];
  }
}

TEST(Xml, ExpandsNoEntities) {
  std::string declared = "<!DOCTYPE f [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>";
  EXPECT_EQ(reviews(declared + "<f><review>&b;</review></f>"),
            Lines{"error:1: The XML declares an entity. Quire expands none: write the texts out."});
  for (std::string_view other : {"<!DOCTYPE f [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>",
                                 "<!DOCTYPE f [<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;]>"})
    EXPECT_EQ(reviews(std::string(other) + "<f><review>&a;</review></f>").back(),
              "error:1: The XML declares an entity. Quire expands none: write the texts out.");
  EXPECT_EQ(reviews("<f><review/>\n<review>&nbsp;</review></f>"),
            (Lines{"1 {}", "error:2: XML has no entity &nbsp;. Write the character itself."}));
  EXPECT_EQ(reviews("<!DOCTYPE f SYSTEM \"http://192.0.2.1/f.dtd\"><f><review/></f>"),
            Lines{"1 {}"});
  EXPECT_EQ(
      reviews("<!DOCTYPE f SYSTEM \"http://192.0.2.1/f.dtd\"><f><review>&a;</review></f>").back(),
      "error:1: XML has no entity &a;. Write the character itself.");
}

TEST(Xml, IsRefusedWhereItIsMalformedAfterTheRowsBefore) {
  for (std::string_view end :
       {"<review>\n</f>", "<review>\n<a b=c/>", "\n<review>", "<a>\n</a><"}) {
    auto rows = reviews("<f><review><a>1</a></review>" + std::string(end));
    ASSERT_EQ(rows.size(), 2u) << end;
    EXPECT_EQ(rows[0], R"(1 {"a":"1"})");
    EXPECT_TRUE(rows[1].starts_with("error:2: The XML is malformed: ")) << rows[1];
  }
  auto deep = std::string("<f>");
  for (int i = 0; i < 200; ++i) deep += "<a>";
  EXPECT_EQ(reviews(deep), Lines{"error:1: Elements lie over 96 deep in each other."});
}

TEST(Xml, HasBlanksForControlCharacters) {
  EXPECT_EQ(reviews("<f><review><a>x\x0By</a></review></f>"), Lines{R"(1 {"a":"x y"})"});
}

TEST(Xml, ProposesElementsThatComeSeveralTimes) {
  std::string_view text =
      "<feed><publisher><name>x</name></publisher><reviews><review><t>1</t><u/></review>"
      "<review><t>2</t><u/></review></reviews></feed>";
  EXPECT_EQ(cut_rows_of(text),
            Lines{"error: The file is XML. Name the element of a row in the mapping: [file] rows = "
                  "\"review\". Elements that come several times: review."});
  EXPECT_EQ(
      cut_rows_of(text, {.rows = "rewiev"}),
      Lines{"error: No element is named rewiev, which the mapping's rows names. Elements that "
            "come several times: review."});
  EXPECT_EQ(*possible_rows(file_of(text), {}), std::vector<std::string>{"review"});
  EXPECT_EQ(*possible_rows(file_of("<rows><row a='1' b='2'/><row a='1' b='2'/></rows>"), {}),
            std::vector<std::string>{"row"});
}

}  // namespace
}  // namespace quire::records
