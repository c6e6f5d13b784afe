// Texts as comments have them, of texts and of HTML.
#include "mapping/values/words.h"

#include <gtest/gtest.h>

#include <random>

#include "mapping/values/flag.h"
#include "mapping/values/status.h"
#include "model/validate.h"

namespace quire {
namespace {

TEST(Cleaned, HasNoSpaceAroundAndNoControlCharacters) {
  EXPECT_EQ(cleaned(" \t Ann \r\n"), "Ann");
  EXPECT_EQ(cleaned("a\r\nb\rc\nd"), "a\nb\nc\nd");
  EXPECT_EQ(cleaned("a\vb\fc\x01"
                    "d\te"),
            "a b cd\te");
  EXPECT_EQ(cleaned(std::string_view("a\0b", 3)), "ab");
  EXPECT_EQ(cleaned("\u00A0\u3000x y\uFEFF"), "x y");
  EXPECT_EQ(cleaned(" \u2003 "), "");
  EXPECT_EQ(cleaned("a \xFF"), "a \xFF");
}

TEST(Html, BecomesText) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"plain", "plain"},
      {"two\nlines", "two\nlines"},
      {"<p>It&#8217;s &quot;nice&quot; &amp; <b>light</b>.<br />\nReally.</p>\n<p>Two.</p>\n",
       "It’s \"nice\" & light.\nReally.\n\nTwo."},
      {"Isn&#39;t bad, <br />works.", "Isn't bad,\nworks."},
      {"Holds <em>plenty</em> & pours", "Holds plenty & pours"},
      {"first line\nsecond <b>line</b>\n\nthird", "first line\nsecond line\n\nthird"},
      {"<p>wrapped\n   source</p>", "wrapped source"},
      {"a<br>b<br><br>c", "a\nb\n\nc"},
      {"<div>a</div><div>b</div>c", "a\nb\nc"},
      {"<div><div>a</div></div><p>b</p>c", "a\n\nb\n\nc"},
      {"<ul><li>one</li>\n<li>two</li></ul>", "one\ntwo"},
      {"<h3>Head</h3>text", "Head\ntext"},
      {"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"},
      {"<b>a</b> <i>b</i>", "a b"},
      {"a<script>alert('x')</script>b<style>p {}</style><!-- remark -->c", "abc"},
      {"<p>a</p><script>x</script><p>b</p>", "a\n\nb"},
      {"<a href='https://x.example/'>link</a>", "link"},
      {"&lt;b&gt; &eacute;&#x1F499;&hellip;", "<b> é💙…"},
      {"a &unknown; b", "a &unknown; b"},
      {"1 < 2 and <3", "1 < 2 and <3"},
      {"AT&T", "AT&T"},
      {"unclosed <b>bold", "unclosed bold"},
      {"stray</p></div></body></html> end", "stray\n\nend"},
      {"<meta charset=iso-8859-1>é", "é"},
      {"<pre>a\n  b</pre>", "a\n  b"},
      {"<title>not</title>seen", "seen"},
      {"&nbsp;a&nbsp;", "a"},
      {"<p></p><br>", ""},
      {"<img src=x onerror=alert(1)>", ""}};
  for (auto [html, text] : cases) EXPECT_EQ(html_text(html), text) << html;
}

// Whatever it is given, it ends, and gives a text that a comment may have.
TEST(Html, IsReadWhateverItIs) {
  std::mt19937_64 random(5);
  constexpr std::string_view parts[] = {"<p>",   "</p>", "<br",       ">",     "<b><i>", "&#",
                                        "38;",   "&amp", "é",         "<!--",  "-->",    "<script>",
                                        "</",    "x y",  "\n",        "<div ", "a='",    "'",
                                        "<pre>", "]]>",  "<![CDATA[", "<?",    "\r",     "<td>"};
  for (int round = 0; round < 3000; ++round) {
    std::string html;
    for (auto left = random() % 30; left > 0; --left) html += parts[random() % std::size(parts)];
    EXPECT_TRUE(characters(html_text(html), "\n\t")) << html;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<b>";
  EXPECT_TRUE(characters(html_text(deep + "x"), "\n\t"));
}

TEST(Flags, HaveManyWords) {
  for (auto word : {"true", "TRUE", "Yes", "y", "on", "1"}) EXPECT_EQ(flag_of(word), true) << word;
  for (auto word : {"false", "No", "N", "off", "0", ""}) EXPECT_EQ(flag_of(word), false) << word;
  for (auto word : {"maybe", "verified buyer", "2", "ja"}) EXPECT_FALSE(flag_of(word)) << word;
}

TEST(Statuses, HaveAReasonWhereTheyReject) {
  EXPECT_EQ(status_of_word("published"), Moderation());
  EXPECT_EQ(status_of_word("pending"), (Moderation{.status = CommentStatus::pending}));
  EXPECT_EQ(status_of_word("rejected:off_topic"),
            (Moderation{.status = CommentStatus::rejected, .reason = "off_topic"}));
  EXPECT_EQ(status_of_word("rejected"), status_of_word("rejected:other"));
  for (auto word : {"", "rejected:", "rejected:because", "pending:spam", "ok"})
    EXPECT_FALSE(status_of_word(word)) << word;
}

}  // namespace
}  // namespace quire
