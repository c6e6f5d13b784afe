// What a deed takes: that the desk has admitted its writer.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "desk/deeds.h"
#include "desk/writer.h"

namespace quire::desk {

// That the desk has admitted a writer to a deed.
class Permit {
 public:
  const Writer& writer() const { return *writer_; }
  Deed deed() const { return deed_; }
  const std::string& product() const { return product_; }  // empty: the deed names none
  // As the request names it, where it has moved to product().
  const std::string& named() const { return named_; }

 private:
  friend class Desk;
  Permit(std::shared_ptr<const Writer> writer, Deed deed, std::string product, std::string named)
      : writer_(std::move(writer)),
        deed_(deed),
        product_(std::move(product)),
        named_(std::move(named)) {}

  std::shared_ptr<const Writer> writer_;
  Deed deed_;
  std::string product_;
  std::string named_;
};

}  // namespace quire::desk
