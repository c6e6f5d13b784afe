// A process for a test, on a free port. It ends with its object, and with the thread that made it,
// however that thread ends.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <random>
#include <string>
#include <system_error>
#include <vector>

namespace quire {

class ChildProcess {
 public:
  // The output of the process goes to the file `log`.
  ChildProcess(std::vector<std::string> command, const std::string& directory,
               const std::string& log) {
    // posix_spawn cannot ask for a signal at the parent's death, so setpriv does.
    command.insert(command.begin(), {"setpriv", "--pdeathsig", "KILL"});
    std::vector<char*> arguments;
    for (auto& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    int failed = posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::system_error(failed, std::generic_category(), command.front());
  }
  ~ChildProcess() {
    if (!running()) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return pid_; }  // 0: it was seen not to run
  bool running() {
    if (pid_ != 0 && waitpid(pid_, nullptr, WNOHANG) != 0) pid_ = 0;
    return pid_ != 0;
  }

 private:
  pid_t pid_ = 0;
};

// A port outside the range of outgoing connections: within the range, a connection to a port
// without a listener can connect to itself.
inline std::string free_port() {
  using boost::asio::ip::tcp;
  boost::asio::io_context context;
  std::random_device random;
  for (;;) {
    auto port = std::uniform_int_distribution<unsigned short>(10'000, 32'000)(random);
    tcp::acceptor acceptor(context, tcp::v4());
    boost::system::error_code taken;
    acceptor.bind({tcp::v4(), port}, taken);
    if (!taken) return std::to_string(port);
  }
}

}  // namespace quire
