// Files in a .zip (APPNOTE 6.3.3), compressed as they come.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "google/out_file.h"

namespace quire::google {

// Of at most 65,535 files and 4 GiB together, as no reader of .zip files refuses. Not thread-safe.
class Zip {
 public:
  // The file must outlive this.
  explicit Zip(OutFile& out);
  ~Zip();
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;

  void begin(std::string name);
  void add(std::string_view bytes);
  void end();
  // Behind the last file. unavailable: they are too many or too large, or were not written.
  Status finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset, packed = 0, size = 0;
    std::uint32_t check = 0;
  };
  void pack(std::string_view bytes, int flush);

  OutFile& out_;
  z_stream stream_{};
  std::vector<Entry> entries_;
};

}  // namespace quire::google
