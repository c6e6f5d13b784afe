// Authorities and certificates for tests, made by the program openssl.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "temporary_directory.h"

namespace quire {

// In a directory that every user may read.
class Certificates {
 public:
  Certificates() {
    namespace fs = std::filesystem;
    fs::permissions(directory_.path(), fs::perms(0755));
  }

  std::string file(const std::string& name) const { return directory_.path() + "/" + name; }

  // NAME.pem, with its key in NAME.key.
  void make_authority(const std::string& name) {
    openssl("-subj /CN=" + name + " -keyout " + name + ".key -out " + name + ".pem");
  }
  // server.pem and server.key, for names such as "DNS:localhost,IP:127.0.0.1".
  void make_certificate(const std::string& authority, const std::string& names) {
    openssl("-subj /CN=any -addext subjectAltName=" + names + " -CA " + authority + ".pem -CAkey " +
            authority + ".key -keyout server.key -out server.pem");
  }

 private:
  void openssl(const std::string& arguments) {
    auto command = "cd " + directory_.path() +
                   " && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
                   "-days 2 " +
                   arguments + " >log 2>&1";
    if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
  }

  TemporaryDirectory directory_;
};

}  // namespace quire
