// The number by which LMDB knows a process in one environment. LMDB takes the PID: it writes it
// into the slots of readers, and locks the byte of that number in lock.mdb, so that others see
// whether the process lives. But processes of several PID namespaces, such as the first ones of two
// containers, have the same PID, and then cannot open one environment together. So each opening
// takes a number of its own. docs/adr/0073-pid-namespaces.md
//
// The file that defines this also defines getpid() and fcntl() for the whole program. They do as
// the C library's, with two exceptions, which both are for LMDB:
// - getpid() gives the thread's number while a ByNumber lives.
// - F_GETLK tells -1 in place of 0 as the PID of a holder in another PID namespace. LMDB takes a
//   holder 0 for none, and would free the slots of readers that live.
#pragma once

namespace quire::lmdb {

// A random number that is greater than any PID of Linux, so that it is nobody's. Thread-safe.
int new_process_number();

// While it lives, getpid() gives this number to this thread. It must end in the thread that made
// it.
class ByNumber {
 public:
  explicit ByNumber(int number);
  ~ByNumber();
  ByNumber(const ByNumber&) = delete;
  ByNumber& operator=(const ByNumber&) = delete;
};

}  // namespace quire::lmdb
