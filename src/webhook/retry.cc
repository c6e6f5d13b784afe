#include "webhook/retry.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "base/text.h"

namespace quire::webhook {

using std::chrono::milliseconds;

Outcome outcome_of(unsigned status) {
  if (status / 100 == 2) return Outcome::delivered;
  if (status == 410) return Outcome::gone;
  bool busy = status == 429 || status == 502 || status == 503 || status == 504;
  return busy ? Outcome::busy : Outcome::failed;
}

milliseconds wait_after(unsigned tries, double chance) {
  double grown = std::pow(3.0, std::min(tries, 20u) - 1.0);
  double wait = std::min<double>(milliseconds(first_wait).count() * grown,
                                 milliseconds(longest_wait).count());
  return milliseconds(static_cast<std::int64_t>(wait * (1 + 0.2 * chance)));
}

std::optional<std::uint64_t> next_try(std::uint64_t first_ms, std::uint64_t now_ms, unsigned tries,
                                      double chance, milliseconds rest) {
  auto last_ms = first_ms + static_cast<std::uint64_t>(milliseconds(tried_for).count());
  if (now_ms >= last_ms) return {};
  auto wait = std::max(wait_after(tries, chance), rest);
  return std::min(now_ms + static_cast<std::uint64_t>(wait.count()), last_ms);
}

milliseconds retry_after(std::string_view header, std::uint64_t now_ms) {
  if (auto seconds = parse_integer<std::uint32_t>(header))
    return std::min<milliseconds>(std::chrono::seconds(*seconds), longest_wait);
  std::tm parts{};
  auto text = std::string(header);
  const char* end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (!end || *end != '\0') return {};
  milliseconds wait{timegm(&parts) * std::int64_t{1000} - static_cast<std::int64_t>(now_ms)};
  return std::clamp<milliseconds>(wait, milliseconds(0), longest_wait);
}

}  // namespace quire::webhook
