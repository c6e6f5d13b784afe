#include "dynamodb/credentials/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "loop/loop.h"

namespace quire::dynamodb {
namespace {

constexpr std::chrono::milliseconds look_every{20};
constexpr std::string_view blank = " \t\r\n";

Error failed(std::string why) {
  return {ErrorCode::unavailable, std::move(why)};
}

// The program, its group, and the end of the pipe that it prints into.
class Child {
 public:
  Child() = default;
  Child(const Child&) = delete;
  ~Child() {
    if (out_ >= 0) close(out_);
    if (pid_ <= 0) return;
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);  // it may have left its group
    waitpid(pid_, nullptr, 0);
  }

  // 0, or the number of the error.
  int start(const std::vector<std::string>& words);

  // Appends what is there. False: there is nothing more.
  bool read_into(std::string& output) {
    std::array<char, 4096> part{};
    for (;;) {
      auto size = read(out_, part.data(), part.size());
      if (size < 0) return errno == EAGAIN || errno == EINTR;
      if (size == 0) return false;
      output.append(part.data(), static_cast<std::size_t>(size));
      if (output.size() > max_process_output) return true;
    }
  }

  // The status of waitpid() once the program has ended.
  std::optional<int> ended() {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return {};
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
  int out_ = -1;
};

int Child::start(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return errno;
  out_ = ends[0];
  fcntl(ends[1], F_SETFL, 0);  // the program's own end waits, as programs expect
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawnp(&pid_, arguments[0], &files, &attributes, arguments.data(), environ);
  if (error != 0) pid_ = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  return error;
}

}  // namespace

std::optional<std::vector<std::string>> words_of(std::string_view command) {
  std::vector<std::string> words;
  bool within = false;  // a word, which may be empty
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    char c = command[i];
    bool blank_between = !quote && blank.find(c) != blank.npos;
    if (blank_between) {
      within = false;
      continue;
    }
    if (!std::exchange(within, true)) words.emplace_back();
    if (c == quote) {
      quote = 0;
    } else if (!quote && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      words.back() += command[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote || words.empty() || words[0].empty()) return {};
  return words;
}

Awaitable<Result<std::string>> run_within(std::vector<std::string> words,
                                          std::chrono::milliseconds process_timeout) {
  Child child;
  auto deadline = std::chrono::steady_clock::now() + process_timeout;
  int error = child.start(words);
  if (error != 0) co_return failed(std::string("it cannot be run: ") + std::strerror(error));
  std::string output;
  std::optional<int> status;
  for (bool open = true; open || !status;) {
    if (open) open = child.read_into(output);
    if (output.size() > max_process_output) co_return failed("it printed more than 64 KiB");
    if (!open) status = child.ended();
    if (status) break;
    if (std::chrono::steady_clock::now() >= deadline) {
      auto seconds = std::chrono::duration_cast<std::chrono::seconds>(process_timeout).count();
      co_return failed("it did not end within " + std::to_string(seconds) + " seconds");
    }
    co_await pause(look_every);
  }
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) co_return output;
  if (WIFEXITED(*status))
    co_return failed("it ended with status " + std::to_string(WEXITSTATUS(*status)));
  co_return failed("it was ended by signal " + std::to_string(WTERMSIG(*status)));
}

}  // namespace quire::dynamodb
