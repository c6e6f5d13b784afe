// A process of a test that is the first of a PID namespace of its own, as in a container: its PID
// there is 1.
#pragma once

#include <sched.h>
#include <sys/prctl.h>

#include <functional>

#include "process.h"

namespace quire::lmdb {

// Runs `work` so; its value is the exit status. Only root may: 254 where this process may not.
class FirstProcess {
 public:
  explicit FirstProcess(const std::function<int()>& work)
      : parent_([work] {
          if (unshare(CLONE_NEWPID) != 0) return 254;
          Process first([&work] {
            prctl(PR_SET_PDEATHSIG, SIGKILL);  // what end() kills is the parent
            return getpid() == 1 ? work() : 253;
          });
          return first.exit_status();
        }) {}

  int exit_status() { return parent_.exit_status(); }
  void end() { parent_.end(); }

 private:
  Process parent_;
};

}  // namespace quire::lmdb
