#include "cli/terminal/outcome.h"

#include <fmt/core.h>

#include <sstream>
#include <string>

#include "base/log.h"
#include "base/text.h"
#include "cli/terminal/log.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {

int fail(const Error& error) {
  standard_error().write(fmt::format("quire: {}\n", printable(error.message)));
  return error.code == ErrorCode::invalid_parameter ? wrong_usage : failed;
}

int tell_of_missing(std::uint64_t rows) {
  if (rows == 0) return done;
  standard_error().write(fmt::format("quire: {} {} left out; quire verify names each\n",
                                     counted(rows, "damaged row"), rows == 1 ? "is" : "are"));
  return with_differences;
}

int fail_by_line(const Error& error) {
  int status = failed;
  std::istringstream lines(error.message);
  for (std::string line; std::getline(lines, line);) status = fail({error.code, line});
  return status;
}

}  // namespace quire::cli
