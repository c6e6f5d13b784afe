// The terminal: text that is safe to print, progress bars, the form of --help, and a question that
// is typed an answer to.
#pragma once

#include <CLI/CLI.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "projection/backfill.h"

namespace quire::cli {

// The arguments with spaces between, each in quotes where a shell needs them.
std::string quoted(const std::vector<std::string>& arguments);

// The arguments without the options in `dropped` and their values, and with `added`, which are
// options.
std::vector<std::string> with_options(const std::vector<std::string>& arguments,
                                      const std::vector<std::string_view>& dropped,
                                      const std::vector<std::string>& added);

// Appends the words of the text, in lines of 80 columns, and a line end. Each further line begins
// with `begin`, as the first does already.
void append_words(std::string& out, std::string_view text, std::string_view begin = {});

// An option is shown with its value's name, which is its option text, and its default. Its variable
// of the environment is shown only if it is not that of its name: QUIRE_MAX_UNSENT of --max-unsent.
std::string help_of(const CLI::App& command, const std::string& name);

// The text on one line. Characters that a terminal would obey, or that change the direction of
// text, become spaces.
std::string printable(std::string_view text);

// A progress bar on standard error, from the second second on; none if that is no terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  // `part` is the part done, 0 to 1; `count` is shown as a number. Cheap to call often.
  void show(double part, std::uint64_t count);

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point next_;
};

// Shows the progress of a scan of a table, from a thread of its own.
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
