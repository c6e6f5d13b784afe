#include "mapping/presets/scores.h"

#include <charconv>
#include <cstdlib>
#include <set>

#include "mapping/columns/personal.h"
#include "mapping/columns/status_column.h"
#include "mapping/presets/written_times.h"
#include "model/facets.h"

namespace quire {
namespace {

// The points of the first group that has a word of the column's name. 0: none has.
struct Group {
  int points;
  std::string_view words;  // with a blank between
};

int worth(const FileColumn& column, std::initializer_list<Group> groups) {
  for (const auto& [points, words] : groups)
    for (auto left = words; !left.empty();) {
      auto end = std::min(left.find(' '), left.size());
      if (column.has(left.substr(0, end))) return points;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  return 0;
}

// Short names and paths come before long ones, which tell of parts of it.
int brief(const FileColumn& column, int points) {
  return points == 0 ? 0 : std::max(1, 10 * points - static_cast<int>(column.words.size()));
}

bool is_address(std::string_view text) {
  return text.starts_with("https://") || text.starts_with("http://") || text.starts_with("//");
}

bool is_number(std::string_view text) {
  return number_in(text).has_value();
}

bool is_language(std::string_view text) {
  return canonical_language(text).has_value();
}

std::size_t different(const Column& column) {
  return std::set<std::string_view>(column.values.begin(), column.values.end()).size();
}

// Whether values that do not fit are a quarter or less: a file may be small, and have an odd one.
template <class Fits>
bool usually(const Column& column, Fits fits) {
  auto some = std::count_if(column.values.begin(), column.values.end(), fits);
  return some > 0 && 4 * static_cast<std::size_t>(some) >= 3 * column.values.size();
}

// Names for a product, from those that pages know to those of a system's own numbers.
int product_points(const FileColumn& column) {
  bool product = column.has_any({"product", "products", "item", "article", "listing", "produkt",
                                 "artikel", "produit", "producto", "prodotto"});
  bool alone = column.words.size() == 1;
  if (column.has_any({"review", "brand", "brands", "variant", "image", "metaobject", "price",
                      "count", "category", "group", "type"}))
    return column.has("review") && column.has("product") ? 3 : 0;
  if (column.has("domain")) return 2;
  if (column.has_any({"url", "link", "href", "permalink", "page"})) return product ? 4 : 0;
  if (column.has_any({"title", "label"})) return 0;
  if (column.has_any({"handle", "slug"}) && (product || alone)) return 20;
  if (column.has("post") && column.has("name")) return 19;
  if (column.has_any({"sku", "skus"})) return 18;
  if (column.has("asin")) return column.has("parent") ? 18 : 17;
  if (column.has("package") && column.has("name")) return 16;
  if (product && column.has("name")) return 0;
  if (alone && product) return 16;
  if (product && column.has_any({"id", "key", "code", "number", "external"})) return 15;
  if (column.has_any({"mpn", "mpns"})) return 12;
  if (column.has_any({"gtin", "gtins", "ean", "isbn", "upc"})) return 8;
  if (column.has("post") && column.has("id")) return 7;
  return column.has_any({"productid", "itemid", "artikelnummer", "referencia"}) ? 3 : 0;
}

// What a key of a table begins with: "PRODUCT#42".
bool begins_with(const Column& column, std::initializer_list<std::string_view> some) {
  return column.mostly([&](std::string_view text) {
    auto small = in_small_letters(text.substr(0, 16));
    return small.find_first_of("#|:") != small.npos &&
           std::any_of(some.begin(), some.end(),
                       [&](auto word) { return small.starts_with(word); });
  });
}

// "review" of review_id, and of id_product_review.
std::string_view numbered_thing(const FileColumn& column) {
  static const std::set<std::string_view> numbers = {"id",     "uuid",   "guid", "key",
                                                     "handle", "number", "no"};
  const auto& words = column.words;
  if (words.size() < 2) return {};
  if (numbers.contains(words.back())) return words[words.size() - 2];
  return numbers.contains(words.front()) ? words.back() : std::string_view();
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  std::string plain(text);
  if (auto comma = plain.find(','); comma != plain.npos) plain[comma] = '.';
  double number = 0;
  auto [end, failed] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
  if (failed != std::errc{} || end != plain.data() + plain.size()) return {};
  return number;
}

bool is_of_reply(const FileColumn& column) {
  return column.has_any({"reply", "replies", "replied", "response", "responses", "answer",
                         "answers", "answered", "responded"});
}

bool is_private(const FileColumn& column, bool of_author) {
  return !personal_word(column.column.name, of_author).empty() || is_contact(column.column);
}

bool is_nobody(std::string_view author) {
  auto small = in_small_letters(author);
  return small == "anonymous" || small == "anonym" || small == "anonyme" || small == "guest";
}

bool is_no_comment(std::string_view kind) {
  return kind == "pingback" || kind == "trackback" || kind == "order_note" || kind == "action_log";
}

int rating_score(const FileColumn& column) {
  if (column.has_any({"count", "min", "max", "maximum", "range", "average", "avg", "mean", "id",
                      "total", "helpful", "votes", "scale", "date", "best", "worst"}))
    return 0;
  auto points = worth(column, {{8, "rating"},
                               {7, "ratings stars star sterne bewertung etoiles estrellas"},
                               {6, "score note calificacion valoracion puntuacion voto"},
                               {5, "overall"},
                               {4, "grade"},
                               {3, "points"}});
  if (points > 0 && column.has("overall")) points += 2;
  auto fits = [](std::string_view text) {
    auto number = number_in(text);
    return number && *number >= 0 && *number <= 100;
  };
  return usually(column.column, fits) ? brief(column, points) : 0;
}

// A name for a rating whose values are words, such as "good".
int rating_words_score(const FileColumn& column) {
  auto points = worth(column, {{8, "rating"},
                               {7, "stars"},
                               {6, "score"},
                               {3, "recommend recommended recommends thumb thumbs"}});
  return different(column.column) <= 12 ? brief(column, points) : 0;
}

int max_score(const FileColumn& column) {
  bool named = column.has_any({"max", "maximum", "range", "scale", "best"}) &&
               column.has_any({"rating", "ratings", "score", "stars", "overall"});
  return named && column.column.mostly(is_number) ? 1 : 0;
}

int time_score(const FileColumn& column) {
  auto points = worth(column, {{8, "created submitted submission submit written"},
                               {7, "posted"},
                               {6, "timestamp date datetime added datum fecha"},
                               {5, "time"},
                               {4, "published publish"},
                               {3, "at unix"},
                               {2, "when"}});
  if (points == 0 || column.has_any({"birth", "birthday", "order", "delivery", "purchase"}))
    return 0;
  if (column.has_any({"updated", "update", "modified", "modification", "edited", "last", "approved",
                      "extract"}))
    points = 1;
  auto times = written_times(column.column);
  if (!times) return 0;
  // Of two that tell the same, the one in UTC.
  bool certain = times->zone || column.has_any({"gmt", "utc"});
  return brief(column, points) + (certain ? 5 : 0);
}

int product_score(const FileColumn& column) {
  bool fits = column.column.mostly([](std::string_view text) { return text.size() <= 256; });
  return fits ? brief(column, product_points(column)) : 0;
}

// Names that a product has may change, and two products may share one.
int product_name_score(const FileColumn& column) {
  bool product = column.has_any({"product", "item", "article"});
  return product && column.has_any({"name", "title"}) ? brief(column, 1) : 0;
}

int product_key_score(const FileColumn& column) {
  return begins_with(column.column, {"product", "item", "sku"}) ? 1 : 0;
}

int id_key_score(const FileColumn& column) {
  bool one_each = 3 * different(column.column) > column.column.values.size();
  return one_each && begins_with(column.column, {"comment", "review"}) ? 1 : 0;
}

// By its values alone.
int any_time_score(const FileColumn& column) {
  bool other =
      column.has_any({"birth", "birthday", "order", "updated", "modified", "edited", "last"});
  auto times = other ? std::nullopt : written_times(column.column);
  return times && (times->formats.empty() || times->formats.front() != "epoch") ? 1 : 0;
}

int language_score(const FileColumn& column) {
  auto points = worth(column, {{3, "language lang"}, {2, "locale"}});
  return usually(column.column, is_language) ? brief(column, points) : 0;
}

int id_score(const FileColumn& column) {
  auto thing = numbered_thing(column);
  bool alone = column.words.size() == 1 && column.has_any({"id", "uuid", "guid"});
  bool of_comment = thing == "review" || thing == "comment" || thing == "feedback";
  int points = of_comment ? 5 : alone ? 4 : thing == "metaobject" ? 3 : 0;
  bool one_each = 2 * different(column.column) > column.column.values.size();
  bool brief_values =
      column.column.mostly([](std::string_view text) { return text.size() <= 100; });
  return one_each && brief_values ? brief(column, points) : 0;
}

int status_score(const FileColumn& column) {
  if (!status_values(column.column) || written_times(column.column)) return 0;
  return column.has_any({"status", "approved", "curated", "validate"}) ? 3
         : column.has("spam")                                          ? 1
                                                                       : 2;
}

int author_score(const FileColumn& column) {
  if (column.has_any({"url", "link", "image", "avatar", "product", "app", "type", "external",
                      "title", "anonymous", "verified", "language"}))
    return 0;
  int points = worth(column, {{9, "nickname"},
                              {8, "nick"},
                              {7, "author"},
                              {6, "reviewer username autor auteur autore verfasser"},
                              {4, "consumer user customer buyer"},
                              {3, "by"}});
  bool name = column.has("name");
  if (column.has("display") && name) points = 9;
  if (name && points > 0) points += 2;
  if (name && points == 0 && (column.words.size() == 1 || column.has_any({"full", "first"})))
    points = column.words.size() == 1 ? 3 : 2;
  bool text = !column.column.mostly(is_number) && !column.column.flag();
  return text ? brief(column, points) : 0;
}

int title_score(const FileColumn& column) {
  if (column.has_any({"product", "item", "page", "url"})) return 0;
  auto points = worth(
      column,
      {{5, "title headline titel titre titulo titolo"}, {4, "subject heading"}, {3, "summary"}});
  return brief(column, points);
}

int text_score(const FileColumn& column) {
  if (column.has_any({"title", "product", "url", "link", "type", "id", "status", "count", "name",
                      "language", "headline", "date", "time"}) ||
      column.column.mostly(is_number) || column.column.flag())
    return 0;
  auto points = worth(
      column,
      {{6, "body content text reviewtext"},
       {5, "message detail texte texto testo"},
       {4, "details comment review opinion kommentar commentaire comentario commento avis resena"},
       {3, "description feedback"}});
  bool long_ones = column.column.mean_size() > 3;
  return long_ones ? brief(column, points) : 0;
}

int pictures_score(const FileColumn& column) {
  if (column.has_any({"avatar", "profile", "product", "logo", "author", "user", "video", "videos",
                      "thumbnail", "small", "favicon"}))
    return 0;
  // The reviewer's own picture is about a person.
  if (column.has("reviewer") && !column.has_any({"images", "photos", "pictures"})) return 0;
  auto points =
      worth(column, {{3, "picture pictures photo photos image images img"}, {2, "media"}});
  if (points > 0 && column.has_any({"full", "large", "original"})) ++points;
  return usually(column.column, is_address) ? brief(column, points) : 0;
}

int reply_text_score(const FileColumn& column) {
  bool text = !column.column.mostly(is_number) && !column.column.flag() &&
              !written_times(column.column) &&
              !column.has_any({"id", "by", "author", "name", "type", "source", "department",
                               "private", "status", "url", "title"});
  return text ? 1 + worth(column, {{2, "text body content"}}) : 0;
}

int reply_time_score(const FileColumn& column) {
  return written_times(column.column) && !column.has_any({"update", "updated", "modified"}) ? 1 : 0;
}

int reply_author_score(const FileColumn& column) {
  bool text = !column.column.mostly(is_number) && !written_times(column.column);
  return text ? worth(column, {{3, "department"}, {2, "author"}, {1, "by"}}) : 0;
}

int parent_score(const FileColumn& column) {
  return column.has("parent") && !column.has_any({"asin", "product", "sku"}) ? 1 : 0;
}

int kind_score(const FileColumn& column) {
  bool other = std::any_of(column.column.values.begin(), column.column.values.end(), is_no_comment);
  return column.has("type") && other && different(column.column) <= 12 ? 1 : 0;
}

}  // namespace quire
