#include "http/tokens.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/base64.h"
#include "base/hash.h"

namespace quire::http {
namespace {

Error refused(std::string message) {
  return {ErrorCode::unavailable, std::move(message), "tokens"};
}

}  // namespace

Result<Tokens> Tokens::read(const std::string& file) {
  std::ifstream in(file);
  if (std::filesystem::is_directory(file))
    return refused(file + " is a directory, not a token file.");
  if (!in) return refused("Cannot read the token file " + file + ": " + std::strerror(errno) + ".");
  Tokens tokens;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.size() != 64 || line.find_first_not_of("0123456789abcdef") != line.npos) {
      return refused(
          file + " has a line that is no token's hash. Make tokens with quire token new --tokens " +
          file + ".");
    }
    tokens.hashes_.insert(line);
  }
  return tokens;
}

Result<std::string> Tokens::add(const std::string& file) {
  std::array<std::uint8_t, 32> random;
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return refused("The operating system gives no random bytes.");
  }
  std::string token = "quire_" + base64url_encode(random);
  std::string line = sha256_hex(token) + "\n";
  int out = open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  // A line that an editor left without its end would swallow this one.
  char last = '\n';
  auto size = out >= 0 ? lseek(out, 0, SEEK_END) : 0;
  if (size > 0 && pread(out, &last, 1, size - 1) == 1 && last != '\n') line.insert(0, "\n");
  bool written = out >= 0 && fchmod(out, 0600) == 0 &&
                 write(out, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                 fsync(out) == 0;
  int why = errno;
  if (out >= 0) close(out);
  if (!written) return refused("Cannot write to " + file + ": " + std::strerror(why) + ".");
  return token;
}

bool Tokens::accept(std::string_view token) const {
  return hashes_.contains(sha256_hex(token));
}

}  // namespace quire::http
