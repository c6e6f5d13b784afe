// Shows the progress of a scan of a table, from a thread of its own.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "cli/terminal/terminal.h"
#include "projection/backfill.h"

namespace quire::cli {

class Display {
 public:
  Display(std::string what, projection::Progress& progress)
      : bar_(std::move(what)), thread_([this, &progress] {
          while (!stopping_) {
            bar_.show(progress.part(), progress.comments);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
          }
        }) {}
  ~Display() {
    stopping_ = true;
    thread_.join();
  }

 private:
  Progress bar_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace quire::cli
