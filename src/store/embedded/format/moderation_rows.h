// The rows of decisions and reports.
// Format: docs/formats/store.md. Changing anything here is a new format version.
#pragma once

#include <string>
#include <string_view>

#include "model/moderation.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

// What a published comment keeps of its moderation.
std::string encode_moderation(const Moderation& moderation);
Moderation decode_moderation(std::string_view bytes);  // throws lmdb::Damaged
bool is_moderation(std::string_view bytes);

Key<32> report_key(const Ulid& id, const std::array<std::uint8_t, 16>& person);
std::string encode_report(const Report& report);
// Throws lmdb::Damaged when the key or the row is damaged.
// The comment that a key of a report names.
Ulid report_comment(std::string_view key);
Report decode_report(std::string_view key, std::string_view bytes);
bool is_report(std::string_view key, std::string_view bytes);

}  // namespace quire::embedded
