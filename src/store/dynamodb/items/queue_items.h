// The queues of moderators in the table: which partitions of the index `all` they are, and the
// items that keep the reports on comments. Format: docs/formats/table.md
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/calls.h"
#include "model/moderation.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {

// The partition key of the index `all`.
inline constexpr std::string_view queue_attribute = partition_attributes.front();
inline constexpr std::string_view queue_prefix = "STATUS#";
// The partition of the reports that no moderator has decided on.
inline constexpr std::string_view reported_partition = "STATUS#reported";
// The partition of the reports on which a moderator has decided, and which have a contact.
inline constexpr std::string_view contacts_partition = "CONTACTS";
// The partition of the comments of a status that is not published.
std::string queue_partition(CommentStatus status);

// A comment's reports are one item.
Item reports_key(const Ulid& id);
// `open`: no moderator has decided since the last report. Else it is among those with a contact, if
// a moderator has decided on one of these. Where the item has no room left, the note of the last
// report is left out.
Item reports_item(const Ulid& id, const std::vector<Report>& reports, bool open);
// Whether the item has the key of a comment's reports and was not set aside; it may be damaged.
bool is_reports(const Item& item);
// Absent: the item is damaged. Oldest first.
std::optional<std::vector<Report>> read_reports(const Item& item);

}  // namespace quire::dynamodb
