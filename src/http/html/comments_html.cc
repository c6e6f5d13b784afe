#include "http/html/parts.h"

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "http/html/facet_values.h"
#include "http/html/labels.h"
#include "http/query.h"
#include "model/attributes.h"
#include "model/vote.h"
#include "words/marks.h"

namespace quire::http {
namespace {

// What of the attributes has a place of its own on the page.
constexpr std::string_view country_name = "country";

// A facet whose values comments show, and what it is called.
struct ShownFacet {
  const Facet& facet;
  std::string label;
};

// Those that have no place of their own.
std::vector<ShownFacet> shown_facets(const std::vector<FacetStatus>& facets,
                                     const texts::Texts& texts) {
  std::vector<ShownFacet> out;
  for (const auto& each : facets) {
    const auto& name = each.facet.name;
    if (name == "language" || name == "rating") continue;
    if (name == verified_name || name == country_name || parse_vote(name)) continue;
    out.push_back({each.facet, facet_label(texts, name)});
  }
  return out;
}

// See fill_attributes().
void fill_shown(Values& out, const Comment& comment, const std::vector<ShownFacet>& facets,
                const texts::Texts& texts) {
  Values* section = nullptr;
  auto add = [&](Name row, Name name, const std::string& text) {
    if (!section) section = &out.add("ATTRIBUTES");
    section->add(row).set(name, text);
  };
  auto attribute = [&](const std::string& text) { add("ATTRIBUTE", "ATTRIBUTE_TEXT", text); };
  for (const auto& [facet, label] : facets) {
    auto found = comment.attributes.find(facet.name);
    if (found == comment.attributes.end()) continue;
    auto with = [&](const std::string& text) {
      attribute(texts.with("condition", {{"FACET", label}, {"VALUE", text}}));
    };
    const auto& value = found->second;
    if (const auto* flag = std::get_if<bool>(&value); flag && *flag) attribute(label);
    if (const auto* number = std::get_if<std::int64_t>(&value)) with(number_label(texts, *number));
    if (const auto* text = std::get_if<std::string>(&value))
      with(value_label(texts, facet.name, facet.type, *text));
    if (const auto* list = std::get_if<std::vector<std::string>>(&value))
      for (const auto& each : *list) add("TOPIC", "TOPIC_TEXT", each);
  }
}

void fill_pictures(Values& out, const Media& media, const std::string& who, const PageLinks& links,
                   const texts::Texts& texts) {
  if (media.empty()) return;
  auto& section = out.add("PICTURES");
  std::uint64_t number = 0;
  for (const auto& [url, width, height, alt] : media) {
    auto& picture = section.add("PICTURE");
    auto unnamed = texts["picture_of_writer"] + ": " + who;
    if (++number > 1) unnamed += " (" + texts.number(number) + ")";
    picture.set("URL", links.picture(url));
    if (width > 0) picture.set("WIDTH", width);
    if (width > 0) picture.set("HEIGHT", height);
    picture.set("ALT", alt.empty() ? unnamed : alt);
  }
}

// A day as it is written. Comments that stand beside each other are often of one.
class Day {
 public:
  Day(const texts::Texts& texts, const Zone& zone) : texts_(texts), zone_(zone) {}

  // The day of this time. The text is valid until the next call.
  const std::string& show(std::uint64_t ms, Values& out) {
    auto local = zone_.local_ms(ms);
    auto day = std::chrono::floor<std::chrono::days>(std::chrono::milliseconds(local));
    if (text_.empty() || day != day_) {
      day_ = day;
      text_ = texts_.day(local);
      iso_ = zone_.time_text(ms).substr(0, std::string_view("2024-11-20").size());
    }
    out.set("CREATED_DAY", iso_);
    out.set("CREATED_TEXT", text_);
    return text_;
  }

 private:
  const texts::Texts& texts_;
  const Zone& zone_;
  std::chrono::days day_{};
  std::string text_;  // empty: none is known yet
  std::string iso_;
};

void fill_reply(Values& out, const std::optional<Reply>& reply, Day& day,
                const texts::Texts& texts) {
  if (!reply) return;
  auto& section = out.add("REPLY");
  section.set("REPLY_BY", reply_label(texts, reply->author));
  day.show(reply->created_ms, section);
  section.set("REPLY_TEXT", reply->text);
}

// Who wrote it, and how many it helped.
void fill_writer(Values& out, const Comment& comment, std::string_view id, const PageLinks& links,
                 const texts::Texts& texts) {
  out.set("PLACE_HREF", links.comment_place(id));
  out.set("RATING_VALUE", comment.rating);
  out.set("RATING_TEXT", texts.number(static_cast<std::uint64_t>(comment.rating)));
  out.set("AUTHOR", comment.author);
  if (comment.author.empty()) out.show("ANONYMOUS");
  if (is_verified(comment)) out.show("VERIFIED");
  if (auto helped = helpful_of(comment); helped > 0)
    out.set("HELPFUL_TEXT", texts.counted("helpful_count", helped));
  if (comment.language == "und" || comment.language == texts.tag()) return;
  out.set("LANG", comment.language);
  out.set("LANGUAGE_LABEL", texts.language(comment.language));
}

// Where `count` characters of a text end, counted from a byte.
std::size_t behind(std::string_view text, std::size_t from, std::size_t count) {
  for (; count > 0 && from < text.size(); --count) do
      ++from;
    while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80);
  return from;
}

// A text with the words that were looked for marked: a row of section `name` up to the first, and
// SOUGHT for each of them with what follows it. `words`: null: nothing was looked for.
void fill_marked(Values& out, Name name, std::string_view text, std::string_view language,
                 ShownWords* words) {
  auto marks = words ? words->found.in(text, language) : std::vector<words::Mark>();
  if (marks.empty()) return out.set(name, text);
  auto& row = out.add(name);
  auto at = behind(text, 0, marks.front().begin);
  row.set(name, text.substr(0, at));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    auto end = behind(text, at, marks[i].end - marks[i].begin);
    bool last = i + 1 == marks.size();
    auto next = last ? text.size() : behind(text, end, marks[i + 1].begin - marks[i].end);
    auto& mark = row.add("SOUGHT");
    mark.set("MARKED", text.substr(at, end - at));
    mark.set("BEHIND", text.substr(end, next - end));
    at = next;
  }
}

void fill_comment(Values& out, const ShownComment& shown, Day& day,
                  const std::vector<ShownFacet>& facets, const PageLinks& links,
                  const texts::Texts& texts, ShownWords* words = nullptr) {
  const auto& [comment, cut] = shown;
  auto id = comment.id.text();
  out.set("ID", id);
  fill_writer(out, comment, id, links, texts);
  const auto& day_text = day.show(comment.created_ms(), out);
  const auto& named = comment.author.empty() ? comment.title : comment.author;
  out.set("NAMED", named);
  auto who =
      named.empty() ? day_text : texts.with("named_on", {{"NAME", named}, {"DAY", day_text}});
  out.set("WHO", who);
  if (comment.title.empty()) out.show("NO_TITLE");
  fill_marked(out, "TITLE", comment.title, comment.language, words);
  fill_marked(out, "TEXT", comment.text, comment.language, words);
  if (cut) out.set("WHOLE_HREF", links.comment(id));
  auto country = comment.attributes.find(country_name);
  if (country != comment.attributes.end())
    if (const auto* code = std::get_if<std::string>(&country->second))
      out.set("COUNTRY", texts.country(*code));
  fill_shown(out, comment, facets, texts);
  fill_pictures(out, comment.media, who, links, texts);
  fill_reply(out, comment.reply, day, texts);
  if (links.votes) out.set("VOTE_HREF", links.vote(id));
  if (links.reports) out.set("REPORT_HREF", links.report(id));
}

void fill_picks(Values& out, const ShownPage& page) {
  if (!page.picks || page.picks->comments.empty()) return;
  auto& section = out.add("PICKS");
  Day day(*page.texts, *page.zone);
  for (std::size_t i = 0; i < page.picks->comments.size(); ++i) {
    const auto& [comment, cut] = page.picks->comments[i];
    auto& pick = section.add("PICK");
    bool positive = i == 0, helped = page.picks->most_helpful[i];
    auto title = helped     ? positive ? "most_helpful_positive" : "most_helpful_critical"
                 : positive ? "newest_positive"
                            : "newest_critical";
    pick.set("PICK_TITLE", (*page.texts)[title]);
    fill_writer(pick, comment, comment.id.text(), page.links, *page.texts);
    day.show(comment.created_ms(), pick);
    pick.set("TITLE", comment.title);
    pick.set("EXCERPT", comment.text);
    pick.show(cut ? Name("MORE") : Name("WHOLE"));
  }
}

// The most frequent values of the first facet of tags, as links.
void fill_topics(Values& out, const ShownPage& page) {
  constexpr std::size_t max_topics = 8;
  for (const auto& [facet, state, progress] : page.facets) {
    if (facet.type != FacetType::tags) continue;
    auto values = values_of(page, facet);
    std::erase_if(values, [](const ValueCount& each) { return each.comments.value_or(0) == 0; });
    if (values.empty()) return;
    values.resize(std::min(values.size(), max_topics));
    auto& section = out.add("TOPICS");
    section.set("TOPICS_LABEL", facet_label(*page.texts, facet.name));
    for (const auto& [value, comments, chosen] : values) {
      auto& topic = section.add("TOPIC");
      topic.set("LABEL", value);
      topic.set("COUNT", page.texts->number(*comments));
      topic.set("HREF", page.links.page(chosen ? without(page.query, facet.name, value)
                                               : with(page.query, facet.name, value)));
      if (chosen) topic.show("CURRENT");
    }
    return;
  }
}

// "1 star / 2 stars": what the conditions under a parameter say.
std::string conditions_label(const ShownPage& page, const std::string& name) {
  std::string out;
  for (const auto& [each, value] : filter_parameters(page.query)) {
    if (each != name) continue;
    if (!out.empty()) out += " / ";  // read alike in all languages
    out += condition_label(*page.texts, page.facets, name, value);
  }
  return out;
}

// What there is instead of the comments that none is.
void fill_empty(Values& out, const ShownPage& page) {
  const auto& texts = *page.texts;
  auto& section = out.add("EMPTY");
  auto words = page.words ? page.words->found.typed().size() : 0;
  bool words_alone = words > 0 && chosen_values(page.query) == 1;
  section.set("EMPTY_TEXT", words_alone ? texts.counted("no_words", words) : texts["no_match"]);
  if (words_alone && (!page.easier || page.easier->empty())) section.show("SPELLING");
  if (!page.easier) return;
  Values* offers[] = {nullptr, nullptr};
  for (const auto& [query, word, left_out, comments] : *page.easier) {
    bool leaves_out = word.empty();
    auto& offer = offers[leaves_out];
    if (!offer) offer = &section.add(leaves_out ? Name("WITHOUT") : Name("WORDS_ALONE"));
    auto& row = offer->add("EASIER");
    row.set("LABEL", leaves_out ? texts.with("without_condition",
                                             {{"CONDITION", conditions_label(page, left_out)}})
                                : word);
    row.set("COUNT", texts.number(comments));
    row.set("HREF", page.links.page(query));
  }
}

// "Reviews of 42 – Size: L, Rating: 5 stars – Oldest first – page 3": each filter and sort has a
// title of its own, as far as it is not too long.
std::string title(const ShownPage& page) {
  constexpr std::size_t max_named = 8;
  const auto& texts = *page.texts;
  auto chosen = filter_parameters(page.query);
  auto out = texts.with("comments_on", {{"PRODUCT", page.name()}});
  std::string conditions;
  for (std::size_t i = 0; i < std::min(chosen.size(), max_named); ++i) {
    if (i > 0) conditions += texts["between_conditions"];
    conditions += condition_label(texts, page.facets, chosen[i].first, chosen[i].second);
  }
  if (chosen.size() > max_named)
    conditions = texts.counted("and_more", chosen.size() - max_named, {{"CONDITIONS", conditions}});
  if (!conditions.empty()) out += " – " + conditions;
  if (page.query.sort != Sort::newest)
    out += " – " + sort_label(texts, page.query.sort, page.query.sort_facet);
  auto number = page.found.number ? page.found.number->number : 1;
  if (number > 1) out += " – " + texts.with("page_number", {{"NUMBER", texts.number(number)}});
  return out;
}

// The heading of the list. `all`: comments of the product.
std::string heading(const ShownPage& page, std::uint64_t all, bool active) {
  const auto& texts = *page.texts;
  if (!active) return texts["all_comments"];
  auto total = page.found.total;
  if (!total) return texts["matching_comments"];
  return texts.counted("matching_of_all", std::max(all, *total), {{"TOTAL", texts.number(*total)}});
}

}  // namespace

std::string minute_text(std::uint64_t ms, const texts::Texts& texts, const Zone& zone) {
  return texts.with("minute", {{"DAY", texts.day(zone.local_ms(ms))},
                               {"TIME", zone.time_text(ms).substr(11, 5)},
                               {"ZONE", zone.offset_text(ms)}});
}

void fill_as_of(Values& out, AsOf as_of_ms, const texts::Texts& texts, const Zone& zone) {
  if (!as_of_ms) return;
  if (*as_of_ms == 0) return out.show("AS_OF_UNKNOWN");
  // So that the page does not change each second.
  auto time = zone.time_text(*as_of_ms);
  out.set("AS_OF_ISO", time.substr(0, 16) + time.substr(23));
  out.set("AS_OF_TEXT", minute_text(*as_of_ms, texts, zone));
}

void fill_attributes(Values& out, const Comment& comment, const std::vector<Facet>& facets,
                     const texts::Texts& texts) {
  std::vector<ShownFacet> shown;
  for (const auto& each : facets) shown.push_back({each, facet_label(texts, each.name)});
  fill_shown(out, comment, shown, texts);
}

void fill_alone(Values& out, const Comment& comment, const std::string& name,
                const std::vector<FacetStatus>& facets, const Look& look) {
  const auto& texts = look.texts();
  auto links = look.links(comment.product);
  auto stars = texts.counted("stars", static_cast<std::uint64_t>(comment.rating));
  out.set("PAGE_TITLE",
          texts.with("one_comment_on", {{"TITLE", comment.title.empty() ? stars : comment.title},
                                        {"PRODUCT", name}}));
  out.set("PRODUCT", name);
  out.set("MATCH_TEXT", texts["one_comment"]);
  out.set("SELF_HREF", links.self);
  out.set("ALONE_HREF", links.comment_place(comment.id.text()));
  Day day(texts, look.zone());
  fill_comment(out.add("COMMENT"), {comment}, day, shown_facets(facets, texts), links, texts);
}

void fill_comments(Values& out, const ShownPage& page) {
  const Query& query = page.query;
  const FoundPage& found = page.found;
  auto all = found.counts.total();
  auto chosen = chosen_values(query);
  // A page of a table may have no comments yet, where more of the lists is to be read.
  bool empty = found.rows.empty() && !found.next;
  bool none = empty && all == 0 && (chosen == 0 || found.counts.exact);
  out.set("PAGE_TITLE", title(page));
  out.set("PRODUCT", page.name());
  out.set("TOTAL_TEXT", page.texts->counted("comments", all));
  out.set("MATCH_TEXT", heading(page, all, chosen > 0));
  out.set("SELF_HREF", page.links.self);
  out.set(
      "CLEAR_HREF",
      page.links.page({.limit = query.limit, .sort = query.sort, .sort_facet = query.sort_facet}));
  if (chosen > 0) out.set("ACTIVE_COUNT", page.texts->number(chosen));
  if (page.own_language)
    out.show("OWN_LANGUAGE");
  else if (chosen > 0)
    out.show("BRIEF");
  fill_chosen(out, page);
  if (all > 0)
    fill_summary(out, page);
  else if (!none)
    out.show("NO_SUMMARY");
  if (all > 0) fill_filters(out, page);
  fill_as_of(out, page.as_of_ms, *page.texts, *page.zone);
  fill_picks(out, page);
  if (all > 0) fill_topics(out, page);
  auto facets = shown_facets(page.facets, *page.texts);
  Day day(*page.texts, *page.zone);
  for (const auto& each : page.comments)
    fill_comment(out.add("COMMENT"), each, day, facets, page.links, *page.texts, page.words);
  if (none)
    out.show("NONE");
  else if (empty)
    fill_empty(out, page);
  if (!found.numbers_missing.empty()) out.show("NUMBERS_MISSING");
  fill_pager(out, page);
  if (found.explanation) fill_plan(out, *found.explanation, page);
}

}  // namespace quire::http
