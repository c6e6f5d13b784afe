// quire: the commands, each in a file of its own.
#include <exception>

#include "cli/commands.h"
#include "cli/log.h"

int main(int argc, char** argv) {
  quire::cli::log_to_standard_error();
  try {
    return quire::cli::run(argc, argv);
  } catch (const std::exception& failure) {
    return quire::cli::fail({quire::ErrorCode::unavailable, failure.what()});
  }
}
