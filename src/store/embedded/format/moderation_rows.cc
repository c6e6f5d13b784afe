#include "store/embedded/format/rows.h"

#include <boost/json.hpp>
#include <cstring>

#include "lmdb/sealed.h"

namespace quire::embedded {
namespace {

constexpr std::size_t report_head = 9;  // time, size of the reason

std::optional<Moderation> parse_moderation(std::string_view bytes) {
  boost::system::error_code failed;
  auto value = boost::json::parse(bytes, failed);
  return failed || !value.is_object() ? std::nullopt : moderation_of(value.get_object());
}

}  // namespace

std::string encode_moderation(const Moderation& moderation) {
  std::string out;
  append_moderation(out, moderation, Members::kept);
  if (out.empty()) return out;
  out.front() = '{';  // in place of the comma
  return out + '}';
}

Moderation decode_moderation(std::string_view bytes) {
  if (auto moderation = parse_moderation(bytes)) return std::move(*moderation);
  throw lmdb::Damaged("a row of moderation is damaged: run quire verify");
}

bool is_moderation(std::string_view bytes) {
  return parse_moderation(bytes).has_value();
}

Ulid report_comment(std::string_view key) {
  return id_at_end(key.substr(0, Ulid::size));
}

std::string encode_report(const Report& report) {
  std::string out(report_head, '\0');
  put_u64(out.data(), report.at_ms);
  out[8] = static_cast<char>(report.reason.size());
  return out + report.reason + report.note;
}

Report decode_report(std::string_view key, std::string_view bytes) {
  if (!is_report(key, bytes))
    throw lmdb::Damaged("a report in the store is damaged: run quire verify");
  Report report{.person = {}, .at_ms = get_u64(bytes.data()), .reason = {}, .note = {}};
  std::memcpy(report.person.data(), key.data() + Ulid::size, report.person.size());
  auto size = static_cast<unsigned char>(bytes[8]);
  report.reason = bytes.substr(report_head, size);
  report.note = bytes.substr(report_head + size);
  return report;
}

bool is_report(std::string_view key, std::string_view bytes) {
  return key.size() == 32 && bytes.size() >= report_head &&
         bytes.size() >= report_head + static_cast<unsigned char>(bytes[8]);
}

}  // namespace quire::embedded
