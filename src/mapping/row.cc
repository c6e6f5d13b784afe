#include "mapping/row.h"

#include "model/additions.h"
#include "model/attributes.h"
#include "model/document.h"
#include "model/moderation.h"

namespace quire {
namespace {

void append_member(std::string& out, std::string_view name, std::string_view text) {
  out += out.size() > 1 ? ",\"" : "\"";
  out.append(name).append("\":");
  append_json_string(out, text);
}

void append_pictures(std::string& out, const std::vector<std::string>& addresses) {
  if (addresses.empty()) return;
  out += ",\"media\":[";
  for (const auto& address : addresses) {
    out += out.back() == '[' ? "{\"url\":" : ",{\"url\":";
    append_json_string(out, address);
    out += '}';
  }
  out += ']';
}

}  // namespace

std::string json_of(const MappedRow& row) {
  std::string out = "{";
  if (row.id) append_member(out, "id", row.id->text());
  append_member(out, "product", row.product);
  if (!row.language.empty()) append_member(out, "language", row.language);
  out.append(",\"rating\":").append(std::to_string(row.rating));
  append_member(out, "created_at", time_text(row.created_ms));
  append_member(out, "author", row.author);
  append_member(out, "title", row.title);
  append_member(out, "text", row.text);
  if (!row.attributes.empty()) {
    out += ",\"attributes\":";
    append_json(out, row.attributes);
  }
  append_pictures(out, row.pictures);
  append_reply(out, row.reply);
  if (row.moderation.status != CommentStatus::published)
    append_member(out, "status", status_name(row.moderation.status));
  if (!row.moderation.reason.empty()) append_member(out, "reason", row.moderation.reason);
  if (!row.customer_id.empty()) append_member(out, "customer_id", row.customer_id);
  out += '}';
  return out;
}

}  // namespace quire
