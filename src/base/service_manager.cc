#include "base/service_manager.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace quire {

bool notify_service_manager(std::string_view state) {
  const char* named = std::getenv("NOTIFY_SOCKET");
  std::string_view name = named ? named : "";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.empty() || (name[0] != '/' && name[0] != '@') || name.size() >= sizeof address.sun_path)
    return false;
  std::memcpy(address.sun_path, name.data(), name.size());
  if (name[0] == '@') address.sun_path[0] = '\0';
  int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return false;
  timeval connect_timeout{.tv_sec = 5, .tv_usec = 0};
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &connect_timeout, sizeof connect_timeout);
  auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  auto sent = sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
                     reinterpret_cast<const sockaddr*>(&address), length);
  close(socket);
  return sent == static_cast<ssize_t>(state.size());
}

}  // namespace quire
