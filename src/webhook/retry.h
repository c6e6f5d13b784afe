// What the answer of a receiver means, and when an event is tried again.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace quire::webhook {

enum class Outcome {
  delivered,
  failed,
  busy,      // the receiver asks for a rest: then nothing else is sent to it either
  gone,      // the receiver wants nothing any more
  unwanted,  // by the webhook: it was not asked
};

// Of a status of HTTP. A redirect is a failure: it is not followed.
Outcome outcome_of(unsigned status);

inline constexpr std::chrono::hours tried_for{72};  // from the first try to the last
inline constexpr std::chrono::seconds first_wait{5};
inline constexpr std::chrono::hours longest_wait{24};

// How long an event waits after its try number `tries`, which is 1 or more: 5 seconds, then three
// times as long each time, up to a day; and up to a fifth more. `chance` is from 0 to 1, so that
// events that failed together are not tried together.
std::chrono::milliseconds wait_after(unsigned tries, double chance);

// When the event is tried next, in ms since 1970. The last try is three days after the first.
// Absent: that was the last one. `rest`: the receiver asks for so long, at most a day.
std::optional<std::uint64_t> next_try(std::uint64_t first_ms, std::uint64_t now_ms, unsigned tries,
                                      double chance, std::chrono::milliseconds rest = {});

// How long `Retry-After` asks to wait, at most longest_wait: seconds, or a date of HTTP. Zero: it
// has another form, or the time is over.
std::chrono::milliseconds retry_after(std::string_view header, std::uint64_t now_ms);

}  // namespace quire::webhook
