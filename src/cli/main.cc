// The binary quire.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <exception>

#include "cli/commands.h"
#include "cli/terminal/log.h"
#include "lmdb/faults.h"

namespace {

// A closed descriptor would be given to the next file that is opened, such as the store, and what
// is printed would be written there. Standard output that was closed takes nothing.
void open_closed_descriptors() {
  for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(standard, F_GETFD) == -1)
      open("/dev/null", O_RDONLY);  // takes the lowest that is free
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_closed_descriptors();
  umask(umask(0777) | 0007);  // files are for the owner and group, at most
  quire::lmdb::end_at_faults();
  quire::cli::log_to_standard_error();
  try {
    return quire::cli::run(argc, argv);
  } catch (const std::exception& failure) {
    std::string message = failure.what();
    if (!message.ends_with('.')) message += '.';
    return quire::cli::fail({quire::ErrorCode::unavailable, message});
  }
}
