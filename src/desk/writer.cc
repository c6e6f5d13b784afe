#include "desk/writer.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace quire::desk {
namespace {

std::string user() {
  std::array<char, 16 * 1024> room;  // for the entry, which other threads must not share
  passwd entry, *found = nullptr;
  getpwuid_r(geteuid(), &entry, room.data(), room.size(), &found);
  return found ? std::string(found->pw_name) : std::to_string(geteuid());
}

}  // namespace

bool Customer::has_bought(std::string_view product, const Present& present) const {
  if (verified || std::find(purchases.begin(), purchases.end(), product) != purchases.end())
    return true;
  return std::any_of(purchases.begin(), purchases.end(),
                     [&](const auto& each) { return present(each) == product; });
}

std::string Writer::audit_name() const {
  return customer ? "customer:" + customer->hash.text() : label;
}

Writer Writer::of_holder(std::shared_ptr<const Tokens> tokens, const Token& token) {
  Writer writer{.kind = Kind::holder, .label = std::string(token.label())};
  writer.token = {std::move(tokens), &token};
  writer.showed_proof = true;
  return writer;
}

Writer Writer::of_customer(Customer customer) {
  Writer writer{.kind = Kind::customer, .label = "customer"};
  writer.customer = std::make_shared<const Customer>(std::move(customer));
  writer.showed_proof = true;
  return writer;
}

Writer Writer::operator_here() {
  return {.kind = Kind::operator_, .label = "user:" + user()};
}

Writer Writer::program() {
  return {.kind = Kind::program, .label = "program:" + user()};
}

}  // namespace quire::desk
