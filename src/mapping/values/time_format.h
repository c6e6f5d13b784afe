// How programs write times, and what time a text is. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/zone.h"
#include "quire/result.h"

namespace quire {

// One way to write a time.
class TimeFormat {
 public:
  // "iso8601", "epoch", "epoch_s", "epoch_ms", or a pattern such as "DD/MM/YYYY HH:mm" or
  // "MMMM D, YYYY". A time of ISO 8601 is an example of such times: "2021-08-25 13:00".
  // invalid_parameter: it is none, and the message tells what a pattern has.
  static Result<TimeFormat> parse(std::string_view text);

  // `epoch`: seconds or milliseconds, by the size of the number.
  enum class Kind { iso8601, epoch, epoch_s, epoch_ms, pattern };
  Kind kind() const { return kind_; }
  // Whether it is a number since 1970.
  bool is_epoch() const { return kind_ != Kind::iso8601 && kind_ != Kind::pattern; }
  // The example of the times of ISO 8601. Empty: there is none.
  const std::string& example() const { return example_; }

 private:
  friend class TimeReader;
  // A part of a pattern: a name such as "YYYY", or a literal text.
  struct Part {
    bool literal;
    std::string text;
  };

  Kind kind_ = Kind::iso8601;
  std::vector<Part> parts_ = {};
  std::string example_ = {};
};

// Why a text is no time.
enum class NoTime {
  wrong,         // it is of no form that is known, or of another than the format
  impossible,    // it names a day or an hour that there is not
  outside,       // it is before 1970 or after 9999
  two_meanings,  // day and month may be meant either way: 03/04/2025, and 15/03/2025 as well
  number,        // a number, of which the unit is not known
};

// The time in ms since 1970. `formats`: the first that fits; empty: ISO 8601 in any of its looks.
// `zone`: of times that name no offset.
std::variant<std::uint64_t, NoTime> time_in(std::string_view text,
                                            std::span<const TimeFormat> formats, const Zone& zone);

// Whether the text stands for no date at all: it is empty, 0000-00-00 or 0001-01-01.
bool is_no_date(std::string_view text);

}  // namespace quire
