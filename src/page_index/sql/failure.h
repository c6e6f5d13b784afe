// What goes wrong at a database, by what can be done about it.
#pragma once

#include <soci/error.h>

#include <stdexcept>
#include <string>

#include "page_index/sql/address.h"
#include "quire/result.h"

namespace quire::sql {

enum class Kind {
  busy,         // others were faster: nothing happened, and the same again may well work
  lost,         // the connection broke: a new one may work
  crowded,      // it takes no more connections
  unreachable,  // nobody answers there
  refused,      // not with this user and password, or not this
  missing,      // there is no such database, or file
  slow,         // the statement took longer than it may
  full,
  read_only,
  altered,  // the tables are not as they were made
  damaged,
  foreign,  // it is none of this kind
  other,
};

struct Failure {
  Kind kind;
  int code;           // the database's own
  std::string words;  // its own, too: they name users and hosts, so they are for the log
};

Failure failure_of(const soci::soci_error& thrown);

// For whoever asked at this address, which is shown without its password. The database's own words
// go to the log, one line a second at most.
Error error_of(const Failure& failure, const SqlAddress& address);

// The tables cannot be used, whatever is tried; what() is a sentence that says why.
class Unusable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Of values that no version of Quire writes.
Unusable damaged(const std::string& what);

}  // namespace quire::sql
