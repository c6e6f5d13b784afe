// Tells the service manager (systemd) the state of this process: the protocol of sd_notify(3).
#pragma once

#include <string_view>

namespace quire {

// Sends `state`, such as "READY=1", to the socket that the environment's NOTIFY_SOCKET names: a
// path, or "@" and an abstract name. Waits up to five seconds while the manager is busy. False:
// there is no such socket, or it did not take the message. May be called from any thread while
// nobody changes the environment.
bool notify_service_manager(std::string_view state);

}  // namespace quire
