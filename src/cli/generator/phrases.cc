#include "cli/generator/generator.h"

#include <array>
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

}  // namespace

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

const std::vector<std::string>& phrases(const std::string& language, int rating) {
  auto known = by_language.find(language);
  return (known == by_language.end() ? by_language.at("en") : known->second)[mood(rating)];
}

}  // namespace quire::cli
