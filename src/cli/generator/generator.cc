#include "cli/generator/generator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace quire::cli {
namespace {

enum Mood { bad, middling, good };
using Sentences = std::array<std::vector<std::string>, 3>;

const std::map<std::string, Sentences> by_language = {
    {"en",
     {{{"Broke after two weeks.", "The seam opened on the first day.", "Support never answered.",
        "Not what the picture shows.", "I sent it back.", "The size is wrong by a lot.",
        "It smells of plastic even after a month.", "A waste of money."},
       {"It does the job.", "Fine for the price, nothing more.",
        "The colour is a little different from the photo.",
        "Delivery took long, the thing itself is all right.", "I expected something sturdier.",
        "Good, but the manual is useless."},
       {"Fits perfectly.", "I use it every day and would buy it again.", "My daughter loves it.",
        "Better than the expensive one I had before.", "Solid, quiet and well made.",
        "Arrived a day early, carefully packed.", "The battery lasts a whole week.",
        "Exactly as described.", "A gift that was a great success.", "Works out of the box."}}}},
    {"de",
     {{{"Nach zwei Wochen kaputt.", "Leider nicht wie beschrieben.",
        "Die Naht ging am ersten Tag auf.", "Der Kundendienst meldet sich nicht."},
       {"Für den Preis in Ordnung.", "Die Farbe weicht etwas vom Bild ab.",
        "Lieferung dauerte, das Gerät selbst ist gut."},
       {"Passt perfekt.", "Würde ich jederzeit wieder kaufen.",
        "Sehr gute Verarbeitung, läuft leise.", "Der Akku hält eine ganze Woche.",
        "Schnelle Lieferung, sorgfältig verpackt."}}}},
    {"fr",
     {{{"Cassé au bout de deux semaines.", "Ne correspond pas à la photo.", "Je l’ai renvoyé."},
       {"Correct pour le prix.", "La couleur est un peu différente."},
       {"Parfait, rien à redire.", "Je le recommande vivement.", "Solide et silencieux.",
        "Livraison rapide et soignée."}}}},
    {"es",
     {{{"Se rompió a las dos semanas.", "No es como en la foto.", "Lo devolví."},
       {"Está bien por el precio.", "El color es algo distinto."},
       {"Perfecto, lo recomiendo.", "Muy buena calidad.", "Llegó antes de lo previsto.",
        "Lo uso todos los días."}}}},
    {"ar",
     {{{"انكسر بعد أسبوعين.", "ليس كما في الصورة."},
       {"جيد مقابل السعر.", "اللون مختلف قليلاً عن الصورة."},
       {"ممتاز، أنصح به بشدة.", "يعمل من اليوم الأول (firmware 2.1).", "جودة عالية ووصل بسرعة."}}}},
    {"he",
     {{{"נשבר אחרי שבועיים.", "לא כמו בתמונה."},
       {"סביר למחיר.", "הצבע קצת שונה."},
       {"מצוין, ממליץ בחום.", "עובד מצוין עם USB-C.", "הגיע מהר וארוז היטב."}}}},
    {"ja",
     {{{"二週間で壊れました。", "写真と違います。"},
       {"値段相応です。", "色が少し違いました。"},
       {"とても満足しています。", "毎日使っています。", "梱包も丁寧でした。"}}}},
};

Mood mood(int rating) {
  return rating >= 4 ? good : rating == 3 ? middling : bad;
}

struct Language {
  std::string tag;
  double weight;
};

const std::vector<Language>& languages() {
  static const std::vector<Language> rows = {{"en", 0.60}, {"de", 0.14}, {"fr", 0.08},
                                             {"es", 0.07}, {"ja", 0.03}, {"ar", 0.02},
                                             {"he", 0.01}, {"und", 0.05}};
  return rows;
}

const std::vector<std::string>& authors() {
  static const std::vector<std::string> names = {
      "Ann",     "Ben K.", "Chloé", "Dmitri", "Elif",  "Farid",    "Greta",        "Hana",
      "Igor",    "Jun",    "Klára", "Liam",   "Marta", "Nadia",    "Omar",         "Priya",
      "Quentin", "Rosa",   "Søren", "Tomás",  "Uta",   "Vera",     "Wen",          "Ximena",
      "Yael",    "Zoë",    "أحمد",  "דנה",    "山田",  "a reader", "mum of three", "night owl"};
  return names;
}

// Sentences that fit a rating; English ones if there are none in the language.
const std::vector<std::string>& phrases(const std::string& language, int rating) {
  auto known = by_language.find(language);
  return (known == by_language.end() ? by_language.at("en") : known->second)[mood(rating)];
}

constexpr std::uint64_t first_ms = 1'420'070'400'000;  // 2015-01-01
constexpr std::uint64_t last_ms = 1'735'689'600'000;   // 2025-01-01

struct Rating {
  int stars;
  double weight;
};
const std::vector<Rating> ratings = {{5, 0.58}, {4, 0.17}, {3, 0.08}, {2, 0.05}, {1, 0.12}};

struct Size {
  std::string name;
  double weight;
};
const std::vector<Size> sizes = {{"M", 0.30},  {"L", 0.27},  {"S", 0.18},
                                 {"XL", 0.13}, {"XS", 0.06}, {"XXL", 0.06}};

// By number of customers.
constexpr std::string_view countries[] = {
    "US", "DE", "GB", "FR", "ES", "JP", "CA", "IT", "AU", "AT", "CH", "MX", "NL",
    "IN", "BR", "SA", "AE", "EG", "IL", "PL", "SE", "BE", "IE", "DK", "NO", "FI",
    "PT", "CZ", "NZ", "AR", "CL", "CO", "GR", "HU", "RO", "SK", "SI", "HR", "LT",
    "LV", "EE", "LU", "SG", "MY", "TH", "KR", "TW", "ZA", "MA", "TR"};
static_assert(std::size(countries) == 50);

const std::map<std::string_view, std::string_view> homes = {
    {"de", "DE"}, {"fr", "FR"}, {"es", "ES"}, {"ja", "JP"}, {"ar", "SA"}, {"he", "IL"}};

constexpr std::string_view praise[] = {"gift",  "quality", "comfort", "design",
                                       "value", "fit",     "fast",    "durable"};
constexpr std::string_view blame[] = {"broken", "late", "noisy", "smell", "fit", "support"};

// Falls with the rank of a row, as the popularity of products does.
std::size_t skewed(Random& random, std::size_t end) {
  return static_cast<std::size_t>(std::pow(static_cast<double>(end + 1), random.uniform())) - 1;
}

std::string country(Random& random, const std::string& language) {
  auto home = homes.find(language);
  if (home != homes.end() && random.uniform() < 0.8) return std::string(home->second);
  return std::string(
      countries[std::min(skewed(random, std::size(countries)), std::size(countries) - 1)]);
}

std::vector<std::string> tags(Random& random, int rating) {
  std::vector<std::string> out;
  auto add = [&](const auto& words) {
    std::string word(words[std::min(skewed(random, std::size(words)), std::size(words) - 1)]);
    if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(std::move(word));
  };
  for (auto left = random.below(4); left > 0; --left) rating >= 3 ? add(praise) : add(blame);
  return out;
}

// Most comments have no vote, a few have hundreds.
std::int64_t votes(Random& random, int rating) {
  double interest = rating <= 2 ? 1.3 : 1.0;
  double found = std::pow(random.uniform(), 4) * 7 * interest - 1;
  return found <= 0 ? 0 : static_cast<std::int64_t>(std::exp(found));
}

Attributes random_attributes(Random& random, const Comment& comment) {
  Attributes out;
  out["verified"] = random.uniform() < (comment.rating <= 2 ? 0.6 : 0.85);
  if (random.uniform() < 0.85) out["size"] = random.pick(sizes).name;
  out["country"] = country(random, comment.language);
  auto words = tags(random, comment.rating);
  if (!words.empty()) out["tags"] = std::move(words);
  out["helpful"] = votes(random, comment.rating);
  return out;
}

}  // namespace

const std::vector<Facet>& generated_facets() {
  static const std::vector<Facet> facets = {
      {"verified", FacetType::flag},
      {"size", FacetType::choice, {"XS", "S", "M", "L", "XL", "XXL"}},
      {"country", FacetType::choice},
      {"tags", FacetType::tags},
      {"helpful", FacetType::number}};
  return facets;
}

Generator::Generator(const Generation& generation)
    : generation_(generation), random_(generation.seed), attributes_(~generation.seed) {
  double sum = 0;
  for (std::uint64_t i = 0; i < generation.products; ++i) {
    popularity_.push_back(sum += 1 / std::pow(static_cast<double>(i + 1), 1.1));  // Zipf
  }
}

std::size_t Generator::product() {
  double point = random_.uniform() * popularity_.back();
  return static_cast<std::size_t>(
      std::lower_bound(popularity_.begin(), popularity_.end() - 1, point) - popularity_.begin());
}

std::string Generator::text(const std::string& language, int rating) {
  const auto& sentences = phrases(language, rating);
  // Most comments are short, a few are long.
  auto count = static_cast<std::size_t>(1 + std::floor(-3.5 * std::log(1 - random_.uniform())));
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 40); ++i) {
    if (i > 0) text += i % 5 == 0 ? "\n" : " ";
    text += sentences[random_.below(sentences.size())];
  }
  return text;
}

std::optional<Comment> Generator::next() {
  if (made_ == generation_.comments) return {};
  double part =
      (static_cast<double>(made_) + random_.uniform()) / static_cast<double>(generation_.comments);
  ++made_;
  auto ms = first_ms + static_cast<std::uint64_t>(part * static_cast<double>(last_ms - first_ms));
  std::array<std::uint8_t, 10> entropy;
  for (auto& byte : entropy) byte = static_cast<std::uint8_t>(random_.bits());
  Comment comment{.id = Ulid::make(ms, entropy)};
  comment.product = "product-" + std::to_string(product() + 1);
  comment.language = random_.pick(languages()).tag;
  comment.rating = random_.pick(ratings).stars;
  if (random_.uniform() < 0.9) comment.author = authors()[random_.below(authors().size())];
  if (random_.uniform() < 0.8) {
    const auto& titles = phrases(comment.language, comment.rating);
    comment.title = titles[random_.below(titles.size())];
    if (comment.title.ends_with('.')) comment.title.pop_back();
  }
  if (random_.uniform() < 0.95) comment.text = text(comment.language, comment.rating);
  if (generation_.attributes) comment.attributes = random_attributes(attributes_, comment);
  return comment;
}

}  // namespace quire::cli
