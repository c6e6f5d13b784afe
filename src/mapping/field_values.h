// The values of a record's fields, by their mapping. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/comment_mapping.h"
#include "mapping/record.h"
#include "quire/comment.h"

namespace quire {

// What was left out of a row that is taken, with its count.
using Remarks = std::map<std::string, std::uint64_t, std::less<>>;

// Why a record is rejected: see Rejected. Empty: it is not.
using Reason = std::string;

// A sentence that ends in the value at fault; `sentence` is without its full stop.
Reason reason_of(std::string_view sentence, std::string_view value);

// The first value that is not empty and fits a pattern, cleaned. `unfit`: the first one that fits
// none.
struct Found {
  std::string text = {};
  std::string unfit = {};
};
Found found_in(const Record& record, const MappedField& field);

// The text of a field by its words, of which those that are not listed stay, or else its default.
// Empty: the field is absent, or there is none. Without `defaults`, the default is none.
std::string prose_in(const Record& record, const std::optional<MappedField>& field,
                     bool defaults = true);

// All texts of the first path that has one, each by its words; if there is none the default.
std::vector<std::string> texts_in(const Record& record, const MappedField& field);

// The time of a field, of which values without a date are passed over.
struct FoundTime {
  std::string text = {};  // empty: there is none
  std::variant<std::uint64_t, NoTime> time = NoTime::wrong;

  std::optional<std::uint64_t> ms() const;
};
FoundTime time_in(const Record& record, const MappedField& field, const Zone& zone);

// These put the value into `out`.
Reason read_time(const Record& record, const MappedField& field, const Zone& zone,
                 std::uint64_t& out);
Reason read_rating(const Record& record, const MappedField& field, int& out);
Reason read_status(const Record& record, const std::optional<MappedField>& field, Moderation& out);
// Leaves out values that no attribute can hold, with a remark.
Reason read_attributes(const Record& record, const std::vector<MappedAttribute>& mapped,
                       Attributes& out, Remarks& remarks);

// Whether all conditions hold.
bool admits(const Record& record, const std::vector<MappedWhen>& conditions);

}  // namespace quire
