#include "words/rules.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include <array>
#include <string_view>

#include "base/hash.h"
#include "words/terms.h"

namespace quire::words {
namespace {

constexpr std::uint32_t rules_number = 2;

struct Sample {
  std::string_view language, text;
};

// Every stemmer, every script that ICU looks up in a dictionary, and each rule beside ICU's.
constexpr Sample probe[] = {
    {"ar", "السحّاب تعطّل بعد أسبوعين، لكن القماش جميل والخياطة ممتازة ٢٠٢٤"},
    {"ca", "La cremallera es va trencar, però la col·lecció és bonica i l’envio bé"},
    {"da", "Lynlåsen gik i stykker efter få uger, men jakkerne er smukke og varme"},
    {"de", "Der Reißverschluß klemmte schon nach Wochen; die Größen fallen übergroß aus"},
    {"el", "Το φερμουάρ χάλασε γρήγορα, αλλά τα μπουφάν είναι όμορφα και ζεστά"},
    {"en", "Great.I don't regret buying these jackets: zippers fitting 3.5 inches, really_nice"},
    {"es", "La cremallera se rompió rápidamente, pero los niños están encantadísimos"},
    {"eu", "Kremailera laster hautsi zen, baina jakak oso politak eta beroak dira"},
    {"fi", "Vetoketju rikkoutui pian, mutta takit ovat kauniita ja lämpimiä talvella"},
    {"fr", "La fermeture s’est cassée aussitôt, mais l'écran et les œuvres étaient très beaux"},
    {"ga", "Bhris an sip go tapa, ach tá na seaicéid go hálainn agus teolaí"},
    {"hi", "ज़िप जल्दी टूट गई, लेकिन जैकेटें सुंदर और गर्म हैं"},
    {"hu", "A cipzár hamar elromlott, de a kabátok gyönyörűek és melegek voltak"},
    {"hy", "Կայծակաճարմանդը արագ կոտրվեց, բայց բաճկոնները գեղեցիկ են"},
    {"id", "Ritsletingnya cepat rusak, tetapi jaket-jaketnya indah dan menghangatkan"},
    {"it", "La cerniera si è rotta subito, però le giacche sono bellissime e l'età non conta"},
    {"lt", "Užtrauktukas greitai sugedo, bet striukės gražios ir šiltos"},
    {"ne", "चेन चाँडै भाँचियो, तर ज्याकेटहरू राम्रा र न्याना छन्"},
    {"nl", "De rits ging snel kapot, maar de jassen zijn prachtig en financiële zorgen weg"},
    {"no", "Glidelåsen gikk fort i stykker, men jakkene er vakre og varme på fjellet"},
    {"pt", "O fecho partiu-se rapidamente, mas os corações das crianças estão contentíssimos"},
    {"ro", "Fermoarul s-a stricat repede, însă jachetele sunt frumoase și călduroase"},
    {"ru", "Хороший прочный чехол, ещё купил бы синий; молнии сломались быстро"},
    {"sr", "Рајсфершлус се брзо покварио, али су јакне лепе; njihove boje su žive i đačke"},
    {"sv", "Dragkedjan gick sönder snabbt, men jackorna är vackra och värmande"},
    {"ta", "ஜிப் விரைவில் உடைந்தது, ஆனால் சட்டைகள் அழகாக இருக்கின்றன"},
    {"tr", "Fermuarı çabuk bozuldu, ama IŞIK altında ceketlerin renkleri güzeldi"},
    {"yi", "דער רייסלפאַרשלאָס האָט זיך צעבראָכן, אָבער די רעקלעך זענען שיין"},
    {"und", "הרוכסן נשבר מהר, אבל צה״ל קנה שָׁלוֹם ג׳ירפה"},
    {"zh", "这件衣服性价比很高，二〇二四年又买了iPhone用的保护套"},
    {"ja", "ジッパーがすぐ壊れました。らーめん柄、ﾌﾞﾙｰﾄｩｰｽ対応、人々も満足"},
    {"ko", "지퍼가 금방 고장났어요. 지퍼를 바꾸면 예쁜 LG전자 자켓"},
    {"th", "ซิปพังเร็วมาก แต่เสื้อสวยและอบอุ่นน้ำหนักเบา"},
    {"lo", "ຊິບເພໄວຫຼາຍ ແຕ່ເສື້ອງາມ"},
    {"km", "រូតខូចលឿនណាស់ ប៉ុន្តែអាវស្អាត"},
    {"my", "ဇစ်အမြန်ပျက်သွားတယ် ဒါပေမယ့်အင်္ကျီလှတယ်"},
    {"fa",
     "زیپ زود خراب شد ولی می‌خواهم دوباره کتاب‌ها را "
     "بخرم"},
    {"uk", "П'ять п’ять пʼять зірок, її йогурт Ⅷ ＡＢＣ１２３ ① ½ ™"},
    {"en", "a_word_that_is_longer averyveryveryveryveryveryveryveryveryveryveryveryverylongword"},
};

std::uint64_t probe_hash() {
  Terms terms;
  std::string all;
  for (const auto& sample : probe) {
    for (const auto& term : terms.of({}, sample.text, sample.language)) all.append(term) += '\n';
  }
  return long_hash(all);
}

std::string version_text(const UVersionInfo& version) {
  return fmt::format("{}.{}", version[0], version[1]);
}

}  // namespace

const Rules& rules() {
  static const Rules made = [] {
    UVersionInfo icu, unicode;
    u_getVersion(icu);
    u_getUnicodeVersion(unicode);
    return Rules{rules_number, version_text(icu), version_text(unicode), probe_hash()};
  }();
  return made;
}

std::uint64_t digest(const Rules& rules) {
  return long_hash(
      fmt::format("{} {} {} {:x}", rules.number, rules.icu, rules.unicode, rules.probe));
}

}  // namespace quire::words
