#include "cli/terminal/log.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>
#include <mutex>

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

}  // namespace

LogWriter& standard_error() {
  static LogWriter log(STDERR_FILENO);
  return log;
}

void log_to_standard_error() {
  auto sink = std::make_shared<Sink>(standard_error());
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("quire", std::move(sink)));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc);
}

}  // namespace quire::cli
