// Who on this machine may read and write a file, by its mode.
#pragma once

#include <string>

namespace quire {

// Users other than the file's owner and group. False where there is no such file.
bool others_may_read(const std::string& file);
bool others_may_write(const std::string& file);

}  // namespace quire
