// Another process of a test.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

namespace quire {

// Runs `work` in a process of its own; its value is the exit status. This process must have no open
// environment and no threads then.
class Process {
 public:
  explicit Process(const std::function<int()>& work) {
    std::fflush(nullptr);  // otherwise the child prints the same bytes again
    pid_ = fork();
    if (pid_ == 0) run(work);
  }
  ~Process() {
    if (pid_ != 0) end();
  }
  pid_t id() const { return pid_; }
  bool ended() {
    if (pid_ != 0 && waitpid(pid_, &status_, WNOHANG) != 0) pid_ = 0;
    return pid_ == 0;
  }
  int exit_status() {
    if (pid_ != 0) waitpid(pid_, &status_, 0);
    pid_ = 0;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }
  void end() {
    kill(pid_, SIGKILL);
    exit_status();
  }

 private:
  [[noreturn]] static void run(const std::function<int()>& work) {
    try {
      _exit(work());
    } catch (...) {
      _exit(255);
    }
  }

  pid_t pid_;
  int status_ = 0;
};

}  // namespace quire
