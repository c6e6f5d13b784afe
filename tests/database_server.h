// A database server for tests, which can be stopped and started again with what it holds.
#pragma once

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "server_process.h"

namespace quire {

class DatabaseServer : public ServerProcess {
 public:
  static constexpr const char* password = "it's \\ a: \"secret\" %40";

  // Ends all of the server's processes by a signal that they cannot catch, as a power cut does.
  // A process that serves a connection would answer for a while without the first one.
  void stop() {
    auto children = running() ? children_of(id()) : std::vector<pid_t>();
    kill();
    for (auto child : children) ::kill(child, SIGKILL);
    for (auto child : children)
      while (!stands_still(child)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  // All its processes stand still, until the pause ends.
  class Pause {
   public:
    explicit Pause(pid_t server) {
      stop(server);
      for (auto child : children_of(server)) stop(child);
    }
    ~Pause() {
      for (auto process : processes_) ::kill(process, SIGCONT);
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    // Waits, since the other threads run on until one thread has got the signal.
    void stop(pid_t process) {
      processes_.push_back(process);
      ::kill(process, SIGSTOP);
      while (!stands_still(process)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    std::vector<pid_t> processes_;
  };
  Pause pause() { return Pause(id()); }

 protected:
  explicit DatabaseServer(std::vector<std::string> settings) : settings_(std::move(settings)) {}
  ~DatabaseServer() = default;

  // The command that succeeds when the server answers.
  virtual std::vector<std::string> question() const = 0;

  // Runs a command to its end. Returns its output.
  std::string run(const std::vector<std::string>& command) {
    auto text = output(command);
    if (!text.ends_with(success)) throw std::runtime_error(command.front() + ": " + text);
    return text.substr(0, text.size() - success.size());
  }

  std::string data() const { return directory() + "/data"; }
  const std::vector<std::string>& settings() const { return settings_; }

 private:
  static constexpr std::string_view success = "done\n";

  static std::vector<pid_t> children_of(pid_t process) {
    auto id = std::to_string(process);
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    return {std::istream_iterator<pid_t>(file), {}};
  }
  // A process that has ended stands still, too.
  static bool stands_still(pid_t process) {
    std::error_code gone;
    std::filesystem::directory_iterator threads("/proc/" + std::to_string(process) + "/task", gone);
    return std::all_of(begin(threads), end(threads), [](const auto& thread) {
      auto stat = file_bytes(thread.path() / "stat");  // "1 (mariadbd) T …"
      auto name_end = stat.rfind(") ");
      return name_end == stat.npos ||
             std::string_view("TtZX").find(stat[name_end + 2]) != std::string_view::npos;
    });
  }
  // The last line shows that the command succeeded.
  std::string output(const std::vector<std::string>& command) {
    std::vector<std::string> checked{"sh", "-c", "\"$@\" && echo done", "sh"};
    checked.insert(checked.end(), command.begin(), command.end());
    auto log = directory() + "/client.log";
    ChildProcess child(checked, directory(), log);
    while (child.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return file_bytes(log);
  }
  bool answers() override { return output(question()).ends_with(success); }

  std::vector<std::string> settings_;
};

}  // namespace quire
