#include "base/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "temporary_directory.h"

namespace quire {
namespace {

// A service manager's socket, which is named to this process while the object lives.
class Manager {
 public:
  explicit Manager(const std::string& name) : socket_(socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), length), 0) << name;
    setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }
  ~Manager() {
    unsetenv("NOTIFY_SOCKET");
    close(socket_);
  }

  std::string received() {
    char bytes[100];
    auto size = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
    return size < 0 ? "nothing" : std::string(bytes, static_cast<std::size_t>(size));
  }

 private:
  int socket_;
};

TEST(ServiceManager, HearsWhatItIsTold) {
  TemporaryDirectory directory;
  for (const auto& name :
       {directory.path() + "/notify", "@quire-test-" + std::to_string(getpid())}) {
    Manager manager(name);
    EXPECT_TRUE(notify_service_manager("READY=1")) << name;
    EXPECT_TRUE(notify_service_manager("STOPPING=1")) << name;
    EXPECT_EQ(manager.received(), "READY=1") << name;
    EXPECT_EQ(manager.received(), "STOPPING=1") << name;
    EXPECT_EQ(manager.received(), "nothing") << name;
  }
}

TEST(ServiceManager, ThatIsNotThereIsNotTold) {
  EXPECT_FALSE(notify_service_manager("READY=1"));
  for (const auto& name : {std::string(), std::string("relative"), std::string("/nowhere/notify"),
                           std::string("vsock:2:1"), "/" + std::string(200, 'a')}) {
    setenv("NOTIFY_SOCKET", name.c_str(), 1);
    EXPECT_FALSE(notify_service_manager("READY=1")) << name;
  }
  unsetenv("NOTIFY_SOCKET");
}

}  // namespace
}  // namespace quire
