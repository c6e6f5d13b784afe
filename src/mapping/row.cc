#include "mapping/row.h"

#include <algorithm>
#include <array>

#include "base/text.h"
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

Digest hash_of(std::string_view source, std::string_view id) {
  std::string text(source);
  text += '\0';
  text += id;
  return parse_hex<32>(sha256_hex(text)).value();
}

Ulid id_of(std::uint64_t created_ms, const Digest& hash) {
  std::array<std::uint8_t, 10> bits;
  std::copy_n(hash.begin(), bits.size(), bits.begin());
  return Ulid::make(created_ms, bits);
}

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
