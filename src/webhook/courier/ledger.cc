#include "webhook/courier/ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/try.h"
#include "model/document.h"

namespace quire::webhook {
namespace {

namespace json = boost::json;

constexpr std::string_view first_line = "quire-webhooks 1\n";
constexpr std::size_t digest_digits = 64;
constexpr std::size_t max_ledger = 256 << 20;

void append_member(std::string& out, std::string_view name, std::string_view text) {
  out += fmt::format(R"(,"{}":)", name);
  append_json_string(out, text);
}

void append(std::string& out, const std::string& name, const Account& account) {
  out += R"({"webhook":)";
  append_json_string(out, name);
  append_member(out, "url", account.url);
  out += fmt::format(R"(,"mark":{},"ended":{},"failing":{})", account.mark, account.ended_ms,
                     account.failing_ms);
  append_member(out, "trouble", account.trouble);
  out += "}\n";
}

void append(std::string& out, const Owed& owed) {
  const auto& event = owed.event;
  out += fmt::format(R"({{"owed":{},"time":{})", event.mark, event.time_ms);
  append_member(out, "type", event.type);
  if (event.id) append_member(out, "id", event.id->text());
  if (!event.product.empty()) append_member(out, "product", event.product);
  out += fmt::format(R"(,"new":{},"imported":{},"tries":{},"first":{},"next":{}}})", event.is_new,
                     event.imported, owed.tries, owed.first_ms, owed.next_ms);
  out += '\n';
}

// Each throws where the line has another form.
std::string text_of(const json::object& line, std::string_view name) {
  return std::string(line.at(name).as_string());
}
std::uint64_t number_of(const json::object& line, std::string_view name) {
  return line.at(name).to_number<std::uint64_t>();
}

Account account_of(const json::object& line) {
  return {.url = text_of(line, "url"),
          .mark = number_of(line, "mark"),
          .ended_ms = number_of(line, "ended"),
          .failing_ms = number_of(line, "failing"),
          .trouble = text_of(line, "trouble")};
}

Owed owed_of(const json::object& line) {
  Event event{.mark = number_of(line, "owed"),
              .time_ms = number_of(line, "time"),
              .type = text_of(line, "type"),
              .is_new = line.at("new").as_bool(),
              .imported = line.at("imported").as_bool()};
  if (line.contains("id")) event.id = Ulid::parse(text_of(line, "id"));
  if (line.contains("product")) event.product = text_of(line, "product");
  return {.event = std::move(event),
          .tries = static_cast<unsigned>(number_of(line, "tries")),
          .first_ms = number_of(line, "first"),
          .next_ms = number_of(line, "next")};
}

Error unwritten(const std::string& file, int error) {
  return {ErrorCode::unavailable, fmt::format("Cannot write {}: {}.", file, std::strerror(error))};
}

}  // namespace

std::string waiting(const Account& account) {
  return fmt::format("{} waiting", counted(account.owed.size(), "message"));
}

std::string url_print(std::string_view url) {
  return sha256_hex(url).substr(0, 16);
}

std::string encode_ledger(const Ledger& ledger) {
  std::string out(first_line);
  for (const auto& [name, account] : ledger) {
    append(out, name, account);
    for (const auto& [mark, owed] : account.owed) append(out, owed);
  }
  return out + sha256_hex(out) + "\n";
}

Result<Ledger> decode_ledger(std::string_view text) {
  Error damaged{ErrorCode::damaged, "its checksum is wrong"};
  if (text.size() < first_line.size() + digest_digits + 1) return damaged;
  auto rest = text.substr(0, text.size() - digest_digits - 1);
  if (!rest.starts_with(first_line) || sha256_hex(rest) + "\n" != text.substr(rest.size()))
    return damaged;
  rest.remove_prefix(first_line.size());
  Ledger out;
  Account* account = nullptr;
  try {
    while (!rest.empty()) {
      auto end = rest.find('\n');
      auto line = json::parse(rest.substr(0, end)).as_object();
      rest.remove_prefix(end + 1);
      if (line.contains("webhook")) {
        account = &(out[text_of(line, "webhook")] = account_of(line));
      } else {
        auto owed = owed_of(line);
        if (!account) return damaged;
        account->owed.emplace(owed.event.mark, std::move(owed));
      }
    }
  } catch (const std::exception&) {  // as another program wrote it
    return damaged;
  }
  return out;
}

std::string ledger_file(const std::string& directory) {
  return directory + "/webhooks.ledger";
}

Result<Ledger> read_ledger(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown) && !unknown) return Ledger();
  TRY(auto text, read_whole("what is owed to webhooks", file, max_ledger));
  return decode_ledger(text);
}

Status write_ledger(const std::string& file, const Ledger& ledger) {
  auto fresh = file + ".new";
  auto text = encode_ledger(ledger);
  int descriptor = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (descriptor < 0) return unwritten(fresh, errno);
  int failed = 0;
  for (std::string_view left = text; !left.empty() && failed == 0;) {
    auto written = ::write(descriptor, left.data(), left.size());
    if (written < 0 && errno != EINTR) failed = errno;
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (failed == 0 && fsync(descriptor) != 0) failed = errno;
  close(descriptor);
  if (failed == 0) failed = rename_durably(fresh, file);
  if (failed != 0) return unwritten(file, failed);
  return Done{};
}

}  // namespace quire::webhook
