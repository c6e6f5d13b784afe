#include "http/server/event_loop.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <iterator>
#include <utility>

#include "http/parameters.h"
#include "http/server/connection.h"

namespace quire::http {

EventLoop::EventLoop(Metrics& metrics, LogWriter* access_log)
    : log(access_log), metrics_(metrics), timer_(context), random_(std::random_device{}()) {}

void EventLoop::tick() {
  date_ = fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr)));
  log.flush();
  logged_malformed_ = false;
  if (unlogged_malformed_ > 0)
    spdlog::warn("{} more requests were not HTTP", std::exchange(unlogged_malformed_, 0));
  close_late();
  if (stopping && waiting.empty() && busy.empty()) return;
  timer_.expires_after(std::chrono::milliseconds(stopping ? 20 : 250));
  timer_.async_wait([this](boost::system::error_code) { tick(); });
}

void EventLoop::close_late() {
  auto now = std::chrono::steady_clock::now();
  for (auto next = waiting.begin(); next != waiting.end();) {
    Connection* connection = *next++;  // close() removes it from the list
    if (connection->deadline() > now) continue;
    metrics_.timed_out->Increment();
    if (connection->writing()) metrics_.slow_readers->Increment();
    connection->close();
  }
}

void EventLoop::stop() {
  stopping = true;
  for (auto next = waiting.begin(); next != waiting.end();) {
    Connection* connection = *next++;
    if (connection->idle()) connection->close();
  }
  timer_.cancel();
}

void EventLoop::abandon() {
  while (!waiting.empty()) waiting.front()->close();
  for (Connection* connection : busy) connection->close();
}

bool EventLoop::close_silent() {
  if (waiting.empty()) return false;
  waiting.front()->close();
  return true;
}

void EventLoop::count_malformed(const boost::asio::ip::address& client, std::string_view why) {
  metrics_.malformed->Increment();
  if (std::exchange(logged_malformed_, true)) {
    ++unlogged_malformed_;
  } else {
    spdlog::warn("{} sent a request that is not HTTP: {}", client.to_string(), why);
  }
}

void EventLoop::make_request_id(std::string& id, std::string_view sent) {
  constexpr std::string_view safe =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/+=";
  if (!sent.empty() && sent.size() <= 128 && sent.find_first_not_of(safe) == sent.npos) {
    id = sent;
    return;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  id.resize(16);
  auto number = random_();
  for (char& digit : id) {
    digit = digits[number % 16];
    number /= 16;
  }
}

namespace {

bool is_plain_text(char c) {
  return (c > ' ') & (c < 0x7F) & (c != '"') & (c != '\\');  // compilers make vectors of this
}

// Percent-encodes bytes that a terminal would obey or that would end a field: a target may contain
// any bytes.
void append_escaped(std::string& out, std::string_view target) {
  bool plain = true;  // as most targets are
  for (char c : target) plain &= is_plain_text(c);
  if (plain) {
    out += target;
    return;
  }
  for (char c : target) {
    if (is_plain_text(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

}  // namespace

void AccessLog::add(const AccessLine& line, std::string_view time) {
  if (!log_) return;
  if (lines_.empty()) lines_.reserve(block + 1024);
  auto add = [this](const auto&... texts) {
    ((lines_.append(std::string_view(texts)) += ' '), ...);
  };
  auto number = [](auto value) { return fmt::format_int(value); };
  auto took = std::chrono::duration_cast<std::chrono::microseconds>(line.took).count();
  add(time, line.client, line.method);
  if (line.target.find('?') == line.target.npos)
    append_escaped(lines_, line.target);
  else
    append_escaped(lines_, without_secrets(line.target));
  lines_ += ' ';
  add(number(line.status).c_str(), number(line.bytes).c_str());
  lines_.append(number(took).c_str()).append("us ");
  add(line.id, line.token);
  lines_.back() = '\n';
  if (lines_.size() >= block) flush();
}

void AccessLog::flush() {
  if (!lines_.empty()) log_->write(std::exchange(lines_, {}));
}

}  // namespace quire::http
