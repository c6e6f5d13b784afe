#include "store/embedded/format/rows.h"

#include <boost/json.hpp>
#include <cstring>

#include "lmdb/sealed.h"

namespace quire::embedded {
namespace {

// Of a report: two times, and the sizes of reason, name and mail.
constexpr std::size_t report_head = 8 + 8 + 1 + 2 + 1;

std::size_t texts_size(std::string_view row) {
  return static_cast<unsigned char>(row[16]) + get_u16(&row[17]) +
         static_cast<unsigned char>(row[19]);
}

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
  const auto& [name, mail, decided_ms] = report.contact;
  std::string out(report_head, '\0');
  put_u64(out.data(), report.at_ms);
  put_u64(&out[8], decided_ms);
  out[16] = static_cast<char>(report.reason.size());
  put_u16(&out[17], static_cast<std::uint16_t>(name.size()));
  out[19] = static_cast<char>(mail.size());
  return out + report.reason + name + mail + report.note;
}

Report decode_report(std::string_view key, std::string_view bytes) {
  if (!is_report(key, bytes))
    throw lmdb::Damaged("a report in the store is damaged: run quire verify");
  Report report{.person = {}, .at_ms = get_u64(bytes.data()), .reason = {}, .note = {}};
  std::memcpy(report.person.data(), key.data() + Ulid::size, report.person.size());
  report.contact.decided_ms = get_u64(&bytes[8]);
  auto rest = bytes.substr(report_head);
  auto next = [&rest](std::size_t size) {
    std::string text(rest.substr(0, size));
    rest.remove_prefix(size);
    return text;
  };
  report.reason = next(static_cast<unsigned char>(bytes[16]));
  report.contact.name = next(get_u16(&bytes[17]));
  report.contact.mail = next(static_cast<unsigned char>(bytes[19]));
  report.note = rest;
  return report;
}

bool is_report(std::string_view key, std::string_view bytes) {
  return key.size() == 32 && bytes.size() >= report_head &&
         bytes.size() >= report_head + texts_size(bytes);
}

}  // namespace quire::embedded
