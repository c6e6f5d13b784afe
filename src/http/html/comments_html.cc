#include "http/html/comments_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "base/percent.h"
#include "http/html/pager_html.h"
#include "http/html/summary_html.h"
#include "http/parameters.h"
#include "model/facets.h"

namespace quire::http {
namespace {

using Dictionary = ctemplate::TemplateDictionary;

// English names of common languages; other languages are shown by their tag.
const std::map<std::string_view, const char*> language_names = {
    {"ar", "Arabic"},     {"bg", "Bulgarian"},  {"cs", "Czech"},     {"da", "Danish"},
    {"de", "German"},     {"el", "Greek"},      {"en", "English"},   {"es", "Spanish"},
    {"et", "Estonian"},   {"fa", "Persian"},    {"fi", "Finnish"},   {"fr", "French"},
    {"he", "Hebrew"},     {"hi", "Hindi"},      {"hr", "Croatian"},  {"hu", "Hungarian"},
    {"id", "Indonesian"}, {"it", "Italian"},    {"ja", "Japanese"},  {"ko", "Korean"},
    {"lt", "Lithuanian"}, {"lv", "Latvian"},    {"nl", "Dutch"},     {"no", "Norwegian"},
    {"pl", "Polish"},     {"pt", "Portuguese"}, {"ro", "Romanian"},  {"ru", "Russian"},
    {"sk", "Slovak"},     {"sl", "Slovenian"},  {"sr", "Serbian"},   {"sv", "Swedish"},
    {"th", "Thai"},       {"tr", "Turkish"},    {"uk", "Ukrainian"}, {"und", "Not stated"},
    {"vi", "Vietnamese"}, {"zh", "Chinese"},
};

std::string language_name(const std::string& tag) {
  auto known = language_names.find(tag);
  return known == language_names.end() ? tag : known->second;
}

std::string day_text(std::uint64_t ms) {
  constexpr const char* months[] = {"January",   "February", "March",    "April",
                                    "May",       "June",     "July",     "August",
                                    "September", "October",  "November", "December"};
  using namespace std::chrono;
  year_month_day date{floor<days>(sys_time<milliseconds>{milliseconds{ms}})};
  return fmt::format("{} {} {}", unsigned{date.day()}, months[unsigned{date.month()} - 1],
                     int{date.year()});
}

std::uint64_t counted_in(const FoundPage& page, Facet facet, FacetValue value) {
  Cell list{};
  list[facet] = value;
  return page.counts.length(list);
}

void add_option(Dictionary& option, const std::string& value, const std::string& label,
                std::uint64_t count, bool checked) {
  option.SetValue("VALUE", value);
  option.SetValue("LABEL", label);
  option.SetValue("COUNT", grouped(count));
  if (checked) option.ShowSection("CHECKED");
  if (count == 0) option.ShowSection("ZERO");
}

void fill_ratings(Dictionary& filters, const FoundPage& page, const Query& query) {
  for (int rating = 5; rating >= 1; --rating) {
    auto& wanted = query.ratings;
    add_option(*filters.AddSectionDictionary("RATING"), std::to_string(rating),
               rating == 1 ? "1 star" : fmt::format("{} stars", rating),
               counted_in(page, rating_facet, static_cast<FacetValue>(rating)),
               std::find(wanted.begin(), wanted.end(), rating) != wanted.end());
  }
}

// The product's languages, most frequent first, and the languages of the query that it lacks.
void fill_languages(Dictionary& filters, const FoundPage& page, const Query& query) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& wanted : query.languages) counts[wanted] = 0;
  for (const auto& row : page.counts.rows()) {
    counts[facets[language_facet].text(row.cell[language_facet])] += row.comments;
  }
  std::vector<std::pair<std::string, std::uint64_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  auto* languages = filters.AddSectionDictionary("LANGUAGES");
  for (const auto& [tag, count] : order) {
    auto& wanted = query.languages;
    add_option(*languages->AddSectionDictionary("LANGUAGE"), tag, language_name(tag), count,
               std::find(wanted.begin(), wanted.end(), tag) != wanted.end());
  }
}

void fill_filters(Dictionary& out, const FoundPage& page, const Query& query) {
  auto* filters = out.AddSectionDictionary("FILTERS");
  if (query.limit != limits::page_default) {
    filters->SetValueAndShowSection("LIMIT", std::to_string(query.limit), "HAS_LIMIT");
  }
  fill_ratings(*filters, page, query);
  fill_languages(*filters, page, query);
  for (auto [sort, label] : {std::pair{Sort::newest, "Newest first"},
                             {Sort::oldest, "Oldest first"},
                             {Sort::highest, "Highest rated"},
                             {Sort::lowest, "Lowest rated"}}) {
    auto* option = filters->AddSectionDictionary("SORT");
    auto text = sort_text(sort);
    option->SetValue("VALUE", ctemplate::TemplateString(text.data(), text.size()));
    option->SetValue("LABEL", label);
    if (sort == query.sort) option->ShowSection("SELECTED");
  }
}

void fill_comment(Dictionary& out, const Comment& comment, bool cut) {
  out.SetValue("ID", comment.id.text());
  out.SetIntValue("RATING_VALUE", comment.rating);
  out.SetValue("CREATED_ISO", time_text(comment.created_ms()));
  out.SetValue("CREATED_TEXT", day_text(comment.created_ms()));
  out.SetValueAndShowSection("TITLE", comment.title, "HAS_TITLE");
  out.SetValueAndShowSection("TEXT", comment.text, "HAS_TEXT");
  if (cut) out.SetValueAndShowSection("WHOLE_HREF", comment_address(comment.id), "CUT");
  out.SetValueAndShowSection("AUTHOR", comment.author, "HAS_AUTHOR");
  if (comment.author.empty()) out.ShowSection("ANONYMOUS");
  if (comment.language == "und") return;
  // The sections for title and text use LANG, too: they see the values of this dictionary.
  out.SetValueAndShowSection("LANG", comment.language, "HAS_LANG");
  out.SetValueAndShowSection("LANGUAGE_LABEL", language_name(comment.language),
                             "HAS_LANGUAGE_LABEL");
}

void fill_plan(Dictionary& out, const Explanation& plan, const std::string& json,
               std::string_view took) {
  auto* section = out.AddSectionDictionary("PLAN");
  section->SetValue("SUMMARY", plan.summary);
  section->SetValue("INDEX", plan.index);
  for (const auto& [list, key] : plan.start) {
    auto* row = section->AddSectionDictionary("LIST");
    row->SetValue("LIST_KEY", list);
    row->SetValueAndShowSection("START_KEY", key, "HAS_START");
  }
  auto* skipped = plan.skipped.empty() ? nullptr : section->AddSectionDictionary("SKIPPED");
  for (const auto& list : plan.skipped)
    skipped->AddSectionDictionary("SKIPPED_LIST")->SetValue("LIST_KEY", list);
  section->SetValueAndShowSection("RESIDUAL", plan.residual.value_or(""), "HAS_RESIDUAL");
  if (!plan.residual) section->ShowSection("NO_RESIDUAL");
  section->SetValue("ENTRIES_READ", std::to_string(plan.read));
  section->SetValue("DISCARDED", std::to_string(plan.discarded));
  section->SetValue("REQUESTS", std::to_string(plan.requests));
  section->SetValue("ESTIMATED_COST", fmt::format("{:.1f}", plan.estimated_cost));
  if (plan.consumed_capacity > 0) {
    section->SetValueAndShowSection("CONSUMED", fmt::format("{:.1f}", plan.consumed_capacity),
                                    "HAS_CONSUMED");
  }
  section->SetValue("TIME_US", std::string(took));
  auto* beaten =
      plan.alternatives.empty() ? nullptr : section->AddSectionDictionary("ALTERNATIVES");
  for (const auto& [summary, cost] : plan.alternatives) {
    auto* row = beaten->AddSectionDictionary("ALTERNATIVE");
    row->SetValue("SUMMARY", summary);
    row->SetValue("ESTIMATED_COST", fmt::format("{:.1f}", cost));
  }
  section->SetValueAndShowSection("JSON_HREF", json, "HAS_JSON");
}

// The address of this page in the JSON interface.
std::string json_address(const Query& query) {
  std::string position = query.after    ? "after=" + *query.after + "&"
                         : query.before ? "before=" + *query.before + "&"
                         : query.page   ? "page=" + std::to_string(*query.page) + "&"
                                        : "";
  return page_address("/v1/products/" + percent_encode(query.product) + "/comments", query,
                      position + "explain=true");
}

}  // namespace

std::string grouped(std::uint64_t number) {
  auto digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(at, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number == 0 ? "No" : grouped(number), noun, number == 1 ? "" : "s");
}

void fill_as_of(Dictionary& out, AsOf as_of_ms) {
  if (!as_of_ms) return;
  if (*as_of_ms == 0) return out.ShowSection("AS_OF_UNKNOWN");
  auto minute = time_text(*as_of_ms).substr(0, 16);  // so that the page does not change each second
  auto* section = out.AddSectionDictionary("HAS_AS_OF");
  section->SetValue("AS_OF_ISO", minute + "Z");
  section->SetValue("AS_OF_TEXT", day_text(*as_of_ms) + ", " + minute.substr(11) + " UTC");
}

void fill_alone(Dictionary& out, const Comment& comment) {
  out.SetValue("PRODUCT", comment.product);
  out.SetValue("MATCH_TEXT", "One comment");
  out.SetValue("SELF_HREF", "/products/" + percent_encode(comment.product));
  out.ShowSection("ALONE");
  fill_comment(*out.AddSectionDictionary("COMMENT"), comment, false);
}

void fill_comments(Dictionary& out, const FoundPage& page,
                   const std::vector<ShownComment>& comments, const Query& query,
                   std::string_view took) {
  auto self = "/products/" + percent_encode(query.product);
  auto all = page.counts.total();
  bool active = !query.languages.empty() || !query.ratings.empty();
  out.SetValue("PRODUCT", query.product);
  out.SetValue("TOTAL_TEXT", all == 0 ? "No comments yet" : counted(all, "comment"));
  out.SetValue("MATCH_TEXT", active     ? fmt::format("{} of {}", grouped(page.total),
                                                      counted(std::max(all, page.total), "comment"))
                             : all == 0 ? "Comments"
                                        : "All comments");
  out.SetValue("SELF_HREF", self);
  out.SetValue(
      "CLEAR_HREF",
      page_address(self, {.product = query.product, .limit = query.limit, .sort = query.sort}));
  if (active) {
    out.SetValueAndShowSection(
        "ACTIVE_COUNT", std::to_string(query.languages.size() + query.ratings.size()), "ACTIVE");
  }
  if (all > 0) fill_summary(out, page, query, self);
  if (all > 0) fill_filters(out, page, query);
  for (const auto& [comment, cut] : comments)
    fill_comment(*out.AddSectionDictionary("COMMENT"), comment, cut);
  if (page.rows.empty()) out.ShowSection(all == 0 ? "EMPTY_PRODUCT" : "EMPTY_FILTER");
  if (!page.numbers_missing.empty()) out.ShowSection("NUMBERS_MISSING");
  fill_pager(out, page, query, self);
  if (page.plan) fill_plan(out, *page.plan, json_address(query), took);
}

}  // namespace quire::http
