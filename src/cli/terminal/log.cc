#include "cli/terminal/log.h"

#include <fcntl.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>

namespace quire::cli {
namespace {

// The mutex guards only the formatter.
class Sink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit Sink(LogWriter& log) : log_(log) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    log_.write(std::string(line.data(), line.size()));
  }
  void flush_() override {}

  LogWriter& log_;
};

// The file that the descriptor is; empty if it is none.
std::string file_of(int descriptor) {
  struct stat about {};
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) return {};
  std::error_code failed;
  auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), failed);
  struct stat named {};
  bool there = !failed && stat(path.c_str(), &named) == 0;  // it may have been removed
  return there && named.st_ino == about.st_ino ? path.string() : std::string();
}

const std::string& error_file() {
  static const std::string file = file_of(STDERR_FILENO);
  return file;
}

}  // namespace

LogWriter& standard_error() {
  static LogWriter log(STDERR_FILENO);
  return log;
}

Status reopen_standard_error() {
  if (error_file().empty()) return Done{};
  return reopen_log({"the error log", error_file(), O_WRONLY}, STDERR_FILENO);
}

void log_to_standard_error() {
  error_file();
  auto sink = std::make_shared<Sink>(standard_error());
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("quire", std::move(sink)));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc);
}

}  // namespace quire::cli
