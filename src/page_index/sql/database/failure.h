// Failures of the database, sorted by what a caller can do about them.
#pragma once

#include <soci/error.h>

#include <stdexcept>
#include <string>

#include "page_index/sql/database/address.h"
#include "quire/result.h"

namespace quire::sql {

enum class FailureKind {
  busy,         // other writers were faster: nothing happened, and a retry may work
  lost,         // the connection broke: a new connection may work
  crowded,      // the server takes no more connections
  unreachable,  // no server answers at the address
  refused,      // the user, the password or the rights do not suffice
  untrusted,    // the server does not prove by TLS who it is
  missing,      // there is no such database or file
  slow,         // the statement took too long
  full,
  read_only,
  altered,  // the tables are not those that Quire made
  damaged,
  foreign,  // the file is no database
  other,
};

struct Failure {
  FailureKind kind;
  int code;           // of the database
  std::string words;  // of the database; they name users and hosts, so only the log shows them
};

Failure failure_of(const soci::soci_error& thrown);

// The error for a caller. It shows the address without its password. Logs the words of the
// database, at most one line per second.
Error error_of(const Failure& failure, const SqlAddress& address);

// The tables cannot be used, and a retry is pointless. what() is a sentence for people.
class Unusable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// For values that no version of Quire writes. `what` names them.
Unusable damaged(const std::string& what);

}  // namespace quire::sql
