// quire: the commands, each in a file of its own.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <cstdio>

#include "cli/commands.h"
#include "lmdb/faults.h"

int main(int argc, char** argv) {
  // Standard output is for what was asked; what happens besides goes to standard error.
  spdlog::set_default_logger(spdlog::stderr_logger_mt("quire"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc);
  umask(umask(0777) | 0007);  // what it writes is for its owner, and the owner's group at most
  quire::lmdb::end_at_faults();
  try {
    return quire::cli::run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "quire: %s\n", failure.what());
    return 1;
  }
}
