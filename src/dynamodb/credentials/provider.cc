#include "dynamodb/credentials/provider.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "dynamodb/credentials/services.h"
#include "loop/loop.h"

namespace quire::dynamodb {
namespace {

constexpr std::chrono::seconds retry_delay{10};

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

bool Provider::valid() const {
  return held_ &&
         (held_->expires_ms == 0 || sources_.now_ms() < held_->expires_ms + held_->grace_ms);
}

Awaitable<Result<Credentials>> Provider::get(std::string refused) {
  if (held_ && held_->access_key == refused)
    held_ = no_credentials("the table refused those that there were.");
  bool paused = renewed_.asking() || sources_.steady_now() < not_before_;
  if (valid() && (paused || !ageing(*held_, sources_.now_ms()))) co_return held_;
  if (!held_ && paused && !renewed_.asking()) co_return held_;
  std::function<Awaitable<Status>()> renews = [this] { return renew(); };
  (void)co_await renewed_.get(std::move(renews));
  co_return held_;
}

Awaitable<Status> Provider::renew() {
  auto found = co_await fetch();
  if (found || !valid()) held_ = std::move(found);
  if (!valid() || ageing(*held_, sources_.now_ms()))
    not_before_ = sources_.steady_now() + retry_delay;
  if (held_ && !valid()) held_ = no_credentials("those that there are have expired.");
  co_return Done{};
}

Awaitable<Result<Credentials>> Provider::fetch() {
  const auto& environment = sources_.environment;
  auto profile = read_profile({environment, sources_.read_file}, profile_);
  if (profile_.empty()) {
    auto keys = credentials_of(environment);
    if (keys) co_return *keys;
    auto identity = web_identity_of(environment);
    if (identity) {
      auto service = endpoint(Api::sts, region_, profile);
      co_return co_await assume_role(sources_, std::move(*identity), std::move(service));
    }
  }
  auto found = co_await of_profile(profile);
  if (found) co_return *found;
  if (!profile_.empty()) {
    co_return no_credentials(
        "the profile " + profile_ +
        " has neither keys, a web identity, single sign-on nor a credential_process.");
  }
  auto keys = co_await container_credentials(sources_);
  if (!keys) keys = co_await instance_credentials(sources_);
  if (keys) co_return *keys;
  co_return no_credentials(
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or a role. The role of an "
      "instance is not seen from a container on it while its metadata has a hop limit of 1.");
}

Awaitable<FoundCredentials> Provider::of_profile(Profile profile) {
  auto keys = credentials_of(profile.keys);
  if (keys) co_return Result<Credentials>(*keys);
  auto identity = web_identity_of(profile.keys);
  if (identity) {
    auto service = endpoint(Api::sts, region_, profile);
    co_return co_await assume_role(sources_, std::move(*identity), std::move(service));
  }
  if (has_sign_on(profile)) {
    auto portal = endpoint(Api::sso, sign_on_region(profile), profile);
    co_return co_await sign_on(sources_, profile, std::move(portal));
  }
  auto command = value_in(profile.keys, "credential_process");
  if (!command.empty()) co_return co_await of_process(profile, command);
  if (!profile.keys.contains("role_arn")) co_return std::nullopt;
  co_return Result<Credentials>(
      no_credentials("the profile " + profile.name +
                     " assumes a role by another profile, which Quire does not. Name a "
                     "credential_process: aws configure export-credentials --profile " +
                     profile.name));
}

Awaitable<Result<Credentials>> Provider::of_process(Profile profile, std::string command) {
  auto refused = [&](const std::string& why) {
    return no_credentials("the credential_process of the profile " + profile.name +
                          " failed: " + why + ". Run it by hand.");
  };
  auto words = words_of(command);
  if (!words) co_return refused("a quote in it does not end");
  auto output = co_await sources_.run(std::move(*words));
  if (!output) co_return refused(output.error().message);
  auto found = credentials_of_process(*output);
  if (!found) co_return refused("it prints no credentials of version 1");
  if (found->expires_ms != 0 && found->expires_ms <= sources_.now_ms())
    co_return refused("the credentials that it prints have expired");
  co_return *found;
}

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
