// Whether other users of the machine may read or write a file, by its mode.
#pragma once

#include <string>

namespace quire {

// Other users: all but the owner and the group of the file. False: no, or there is no such file.
bool others_may_read(const std::string& file);
bool others_may_write(const std::string& file);

}  // namespace quire
