#include <algorithm>

#include "lmdb/sealed.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {
namespace {

// Time; type; flags; id. The product follows.
constexpr std::size_t type_at = 8, flags_at = 9, id_at = 10, head = id_at + Ulid::size;
constexpr std::uint8_t fresh = 1, imported = 2;
constexpr std::size_t revision_size = 8 + Ulid::size;
constexpr std::uint8_t no_event = 0, last_type = static_cast<std::uint8_t>(EventType::voted);

std::string encode(std::uint64_t time_ms, std::uint8_t type, std::uint8_t flags, const Ulid& id,
                   std::string_view product) {
  std::string row(type_at, '\0');
  put_u64(row.data(), time_ms);
  row += static_cast<char>(type);
  row += static_cast<char>(flags);
  return row.append(id.view()).append(product);
}

}  // namespace

std::string encode_event(const Event& event) {
  auto flags =
      static_cast<std::uint8_t>((event.fresh ? fresh : 0) + (event.imported ? imported : 0));
  return encode(event.time_ms, static_cast<std::uint8_t>(event.type), flags, event.id,
                event.product);
}

std::string encode_mark(std::uint64_t time_ms) {
  return encode(time_ms, no_event, 0, {}, {});
}

EventRow decode_event(std::string_view key, std::string_view bytes) {
  auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
  if (key.size() != Key<8>::size || bytes.size() < head || byte(type_at) > last_type ||
      byte(flags_at) > fresh + imported)
    throw lmdb::Damaged("the log of events is damaged: run quire verify --repair");
  EventRow row{get_u64(bytes.data()), {}};
  if (byte(type_at) == no_event) return row;
  Event event{.mark = get_u64(key.data()),
              .time_ms = row.time_ms,
              .type = static_cast<EventType>(byte(type_at)),
              .fresh = (byte(flags_at) & fresh) != 0,
              .imported = (byte(flags_at) & imported) != 0,
              .product = std::string(bytes.substr(head))};
  auto id = event_comment(bytes);
  std::copy(id.begin(), id.end(), event.id.bytes.begin());
  row.event = std::move(event);
  return row;
}

std::string_view event_comment(std::string_view bytes) {
  return bytes.size() < head ? std::string_view() : bytes.substr(id_at, Ulid::size);
}

std::string encode_revisions(const std::vector<Revision>& revisions) {
  std::string row;
  for (const auto& [id, at_ms] : revisions) {
    row.resize(row.size() + 8);
    put_u64(&row[row.size() - 8], at_ms);
    row += id.view();
  }
  return row;
}

std::optional<std::vector<Revision>> decode_revisions(std::string_view bytes) {
  if (bytes.empty() || bytes.size() % revision_size != 0) return {};
  std::vector<Revision> revisions;
  for (; !bytes.empty(); bytes.remove_prefix(revision_size))
    revisions.push_back({id_at_end(bytes.substr(0, revision_size)), get_u64(bytes.data())});
  return revisions;
}

}  // namespace quire::embedded
