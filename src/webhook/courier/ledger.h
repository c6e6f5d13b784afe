// What is owed to each webhook, and how that is kept: docs/formats/webhooks.md
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "quire/result.h"
#include "webhook/webhook.h"

namespace quire::webhook {

// An event that has to be told, or whose last try failed.
struct Owed {
  Event event;
  unsigned tries = 0;          // that failed
  std::uint64_t first_ms = 0;  // when the first of them was
  std::uint64_t next_ms = 0;   // when it is tried next

  friend bool operator==(const Owed&, const Owed&) = default;
};

struct Account {
  std::string url;                          // the beginning of the hash of its address
  std::uint64_t mark = 0;                   // events up to it are told, owed or not wanted
  std::uint64_t ended_ms = 0;               // when the receiver ended it; 0: it has not
  std::uint64_t failing_ms = 0;             // since when no try succeeded; 0: the last one did
  std::string trouble = {};                 // of the last failure
  std::map<std::uint64_t, Owed> owed = {};  // by mark

  friend bool operator==(const Account&, const Account&) = default;
};

using Ledger = std::map<std::string, Account>;  // by the webhook's name

// What is owed, for people: "3 messages waiting".
std::string waiting(const Account& account);

// The hash of an address as an account has it.
std::string url_print(std::string_view url);

std::string encode_ledger(const Ledger& ledger);
// damaged: the text has another checksum than it names, or no such form.
Result<Ledger> decode_ledger(std::string_view text);

// The file in the directory of an embedded store.
std::string ledger_file(const std::string& directory);
// An empty ledger where there is no file. unavailable: it cannot be read. damaged.
Result<Ledger> read_ledger(const std::string& file);
// Puts the ledger in place of the file, durably. unavailable: the file is as it was.
Status write_ledger(const std::string& file, const Ledger& ledger);

}  // namespace quire::webhook
