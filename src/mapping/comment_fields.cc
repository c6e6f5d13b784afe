#include "mapping/comment_fields.h"

#include <fmt/format.h>

#include "mapping/pictures.h"
#include "mapping/values/words.h"
#include "model/facets.h"

namespace quire {
namespace {

// Whether the text begins with the title, of which a last "..." is no part.
bool begins_text(std::string_view title, std::string_view text) {
  for (std::string_view dots : {"...", "…"}) {
    if (!title.ends_with(dots)) continue;
    title.remove_suffix(dots.size());
    break;
  }
  title = trimmed(title);
  return text.starts_with(title);
}

// The record's own language comes before one that is given, and this before the default.
Reason read_language(const CommentMapping& mapping, const Given& given, const Record& record,
                     std::string& out) {
  out = prose_in(record, mapping.language, false);
  if (out.empty()) out = given.language;
  if (out.empty() && mapping.language) out = mapping.language->fallback.value_or("");
  if (out.empty()) return {};
  auto canonical = canonical_language(out);
  if (!canonical) return reason_of("The language is no tag such as en, pt-BR or zh-Hant", out);
  out = std::move(*canonical);
  return {};
}

}  // namespace

Reason read_product(const Record& record, const std::optional<MappedField>& field,
                    const std::string& table, const Given& given, std::string& out) {
  out = given.product;
  if (!out.empty()) return {};
  out = prose_in(record, field);
  if (out.empty()) {
    auto unfit = field ? found_in(record, *field).unfit : "";
    if (!unfit.empty()) return reason_of("The product is not of the pattern", unfit);
    return "There is no product.";
  }
  if (table.empty()) return {};
  auto own = given.products.find(out);
  if (own == given.products.end())
    return reason_of(fmt::format("The product is not in {}", table), out);
  out = own->second;
  return {};
}

Reason read_fields(const CommentMapping& mapping, const Given& given, const Record& record,
                   MappedRow& row) {
  if (auto reason =
          read_product(record, mapping.product, mapping.product_table, given, row.product);
      !reason.empty())
    return reason;
  if (auto reason = read_time(record, mapping.created_at, mapping.zone, row.created_ms);
      !reason.empty())
    return reason;
  if (auto reason = read_rating(record, mapping.rating, row.rating); !reason.empty()) return reason;
  if (auto reason = read_language(mapping, given, record, row.language); !reason.empty())
    return reason;
  if (auto reason = read_status(record, mapping.status, row.moderation); !reason.empty())
    return reason;
  row.author = prose_in(record, mapping.author);
  row.title = prose_in(record, mapping.title);
  row.text = prose_in(record, mapping.text);
  bool double_title = mapping.title && mapping.title->unless_in_text;
  if (double_title && begins_text(row.title, row.text)) row.title.clear();
  row.customer_id = prose_in(record, mapping.customer);
  return {};
}

void read_pictures(const CommentMapping& mapping, const Record& record, MappedRow& row,
                   Remarks& remarks) {
  if (!mapping.pictures) return;
  auto pictures = pictures_of(record, *mapping.pictures);
  if (pictures.bad > 0) remarks["pictures without an address of the web"] += pictures.bad;
  if (pictures.further > 0) remarks["pictures beyond the first 8"] += pictures.further;
  row.pictures = std::move(pictures.addresses);
}

void read_reply(const CommentMapping& mapping, const Record& record, MappedRow& row,
                Remarks& remarks) {
  const auto& mapped = mapping.reply;
  auto text = prose_in(record, mapped.text);
  if (text.empty()) return;
  if (!admits(record, mapped.when)) {
    ++remarks["replies that when of [reply] does not admit"];
    return;
  }
  auto time = mapped.created_at ? time_in(record, *mapped.created_at, mapping.zone) : FoundTime();
  if (!is_no_date(time.text) && !time.ms())
    ++remarks["replies with a date that cannot be read: they have their comment's"];
  row.reply =
      Reply{prose_in(record, mapped.author), std::move(text), time.ms().value_or(row.created_ms)};
}

}  // namespace quire
