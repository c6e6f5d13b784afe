// A process that has an environment open, for tests of others that open it meanwhile.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "lmdb/environment.h"
#include "process.h"

namespace quire::lmdb {

// A pipe on which a process waits until another one writes to it.
class Signal {
 public:
  Signal() { EXPECT_EQ(pipe(ends_), 0); }
  ~Signal() { close(ends_[0]), close(ends_[1]); }
  void give() { EXPECT_EQ(::write(ends_[1], "!", 1), 1); }
  void await() {
    char byte;
    EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
  }

 private:
  int ends_[2];
};

// Until it is let go or killed. Its object's end kills it.
class HeldEnvironment {
 public:
  enum class Transaction { none, read, write };  // that is held, too

  explicit HeldEnvironment(const Options& options, Transaction held = Transaction::none)
      : process_([&] {
          Environment environment(options);
          std::optional<ReadTransaction> reading;
          std::optional<WriteTransaction> writing;
          if (held == Transaction::read) reading.emplace(environment);
          if (held == Transaction::write) writing.emplace(environment);
          open_.give();
          end_.await();
          return 0;
        }) {
    open_.await();
  }

  Process& process() { return process_; }
  void let_go() { end_.give(); }

 private:
  Signal open_, end_;
  Process process_;
};

}  // namespace quire::lmdb
