#include "quire/ulid.h"

#include <algorithm>
#include <chrono>

namespace quire {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr char digit_letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

constexpr auto digit_values = [] {
  std::array<int, 256> table{};
  table.fill(-1);
  for (int i = 0; i < 32; ++i) {
    table[static_cast<unsigned char>(digit_letters[i])] = i;
    if (digit_letters[i] >= 'A') table[digit_letters[i] + ('a' - 'A')] = i;
  }
  return table;
}();

// Reads exactly `count` digits from the front of `text`.
std::optional<unsigned> digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return {};
  unsigned value = 0;
  for (char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return {};
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool skip(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text[0]) == any_of.npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::uint64_t> fraction_ms(std::string_view& text) {
  if (!skip(text, ".")) return 0;
  unsigned ms = 0;
  std::size_t count = 0;
  for (; count < text.size() && text[count] >= '0' && text[count] <= '9'; ++count) {
    if (count < 3) ms = ms * 10 + (text[count] - '0');
  }
  if (count == 0 || count > 9) return {};
  text.remove_prefix(count);
  for (; count < 3; ++count) ms *= 10;
  return ms;
}

std::optional<std::chrono::minutes> offset(std::string_view& text) {
  if (skip(text, "Zz")) return std::chrono::minutes{0};
  bool west = !text.empty() && text[0] == '-';
  if (!skip(text, "+-")) return {};
  auto hours = digits(text, 2);
  if (!hours || !skip(text, ":")) return {};
  auto minutes = digits(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return {};
  std::chrono::minutes east{*hours * 60 + *minutes};
  return west ? -east : east;
}

}  // namespace

Ulid Ulid::make(std::uint64_t ms, const std::array<std::uint8_t, 10>& entropy) {
  Ulid id;
  for (int i = 0; i < 6; ++i) id.bytes[i] = static_cast<std::uint8_t>(ms >> (40 - 8 * i));
  std::copy(entropy.begin(), entropy.end(), id.bytes.begin() + 6);
  return id;
}

std::optional<Ulid> Ulid::parse(std::string_view text) {
  if (text.size() != text_size) return {};
  Wide value = 0;
  int all = 0;  // negative: one is no digit
  for (char c : text) {
    int digit = digit_values[static_cast<unsigned char>(c)];
    all |= digit;
    value = value << 5 | static_cast<unsigned>(digit);
  }
  if (all < 0 || text[0] > '7') return {};  // 26 digits hold 130 bits
  Ulid id;
  for (int i = 15; i >= 0; --i, value >>= 8) id.bytes[i] = static_cast<std::uint8_t>(value);
  return id;
}

std::uint64_t Ulid::ms() const {
  std::uint64_t ms = 0;
  for (int i = 0; i < 6; ++i) ms = ms << 8 | bytes[i];
  return ms;
}

std::string Ulid::text() const {
  Wide value = 0;
  for (auto byte : bytes) value = value << 8 | byte;
  std::string out(text_size, '0');
  for (std::size_t i = text_size; i-- > 0; value >>= 5) {
    out[i] = digit_letters[static_cast<unsigned>(value & 31)];
  }
  return out;
}

Ulid Ulid::next() const {
  Ulid id = *this;
  for (std::size_t i = size; i-- > 0;) {
    if (++id.bytes[i] != 0) return id;
  }
  return *this;
}

Ulid Ulid::previous() const {
  Ulid id = *this;
  for (std::size_t i = size; i-- > 0;) {
    if (id.bytes[i]-- != 0) return id;
  }
  return *this;
}

std::string time_text(std::uint64_t ms) {
  using namespace std::chrono;
  sys_time<milliseconds> time{milliseconds{ms}};
  auto day = floor<days>(time);
  year_month_day date{day};
  hh_mm_ss clock{time - day};
  std::string out = "0000-00-00T00:00:00.000Z";
  auto put = [&](std::size_t at, std::size_t digits, auto number) {
    for (; digits-- > 0; number /= 10) out[at + digits] = static_cast<char>('0' + number % 10);
  };
  put(0, 4, int{date.year()});
  put(5, 2, unsigned{date.month()});
  put(8, 2, unsigned{date.day()});
  put(11, 2, clock.hours().count());
  put(14, 2, clock.minutes().count());
  put(17, 2, clock.seconds().count());
  put(20, 3, clock.subseconds().count());
  if (int{date.year()} > 9999) out.replace(0, 4, std::to_string(int{date.year()}));
  return out;
}

std::optional<std::uint64_t> parse_time(std::string_view text) {
  using namespace std::chrono;
  auto year = digits(text, 4);
  if (!year || !skip(text, "-")) return {};
  auto month = digits(text, 2);
  if (!month || !skip(text, "-")) return {};
  auto day = digits(text, 2);
  if (!day || !skip(text, "Tt ")) return {};
  auto hour = digits(text, 2);
  if (!hour || !skip(text, ":")) return {};
  auto minute = digits(text, 2);
  if (!minute || !skip(text, ":")) return {};
  auto second = digits(text, 2);
  if (!second) return {};
  auto ms = fraction_ms(text);
  if (!ms) return {};
  auto east = offset(text);
  if (!east || !text.empty()) return {};

  year_month_day date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                      std::chrono::day(*day)};
  // RFC 3339 allows a leap second; it counts as the first ms of the next minute.
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return {};
  sys_time<milliseconds> time = sys_days{date} + hours(*hour) + minutes(*minute) -
                                minutes(east->count()) + seconds(*second) + milliseconds(*ms);
  auto since = time.time_since_epoch().count();
  if (since < 0 || since > static_cast<std::int64_t>(max_time_ms)) return {};
  return static_cast<std::uint64_t>(since);
}

}  // namespace quire
