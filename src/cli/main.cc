// The binary quire.
#include <sys/stat.h>

#include <exception>

#include "cli/commands.h"
#include "cli/terminal/log.h"
#include "lmdb/faults.h"

int main(int argc, char** argv) {
  umask(umask(0777) | 0007);  // files are for the owner and group, at most
  quire::lmdb::end_at_faults();
  quire::cli::log_to_standard_error();
  try {
    return quire::cli::run(argc, argv);
  } catch (const std::exception& failure) {
    return quire::cli::fail({quire::ErrorCode::unavailable, failure.what()});
  }
}
