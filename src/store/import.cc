#include "store/import.h"

#include "model/validate.h"
#include "model/vote.h"

namespace quire {
namespace {

// invalid_comment: the comment would have too many attributes.
Result<Comment> updated(const Comment& present, const ImportRow& row, bool voted) {
  const auto& brought = row.comment;
  Patch patch{.rating = brought.rating};
  if (row.has(ImportRow::language)) patch.language = brought.language;
  if (row.has(ImportRow::author)) patch.author = brought.author;
  if (row.has(ImportRow::title)) patch.title = brought.title;
  if (row.has(ImportRow::text)) patch.text = brought.text;
  if (row.has(ImportRow::media)) patch.media = brought.media;
  if (brought.reply) patch.reply = brought.reply;
  for (const auto& [name, value] : brought.attributes)
    if (!voted || !parse_vote(name)) patch.attributes.emplace(name, value);
  return patched(present, patch);
}

}  // namespace

void Imported::count(std::size_t Imported::*as, const Ulid& id) {
  ++(this->*as);
  if (as == &Imported::differing && named.size() < max_named) named.push_back(id);
}

void Imported::add(const Imported& more) {
  for (auto each : {&Imported::added, &Imported::known, &Imported::differing, &Imported::updated,
                    &Imported::removed_here})
    this->*each += more.*each;
  for (const auto& id : more.named)
    if (named.size() < max_named) named.push_back(id);
}

bool is_sourced(const Comment& comment) {
  return comment.attributes.contains("source_id");
}

Verdict verdict(const ImportRow& row, const ImportTerms& terms, const Here& here) {
  if (here.removed && !terms.again) return {&Imported::removed_here};
  if (!here.comment) return {&Imported::added, row.comment, here.removed};
  const auto& present = *here.comment;
  if (!present.product.starts_with(terms.product)) return {&Imported::differing};
  auto changed = updated(present, row, here.voted);
  if (changed && *changed == present) return {&Imported::known, {}, here.removed};
  if (!changed || !(terms.update || here.removed)) return {&Imported::differing};
  return {&Imported::updated, std::move(*changed), here.removed};
}

}  // namespace quire
