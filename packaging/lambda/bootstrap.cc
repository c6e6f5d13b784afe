// `bootstrap` of the package for AWS Lambda: starts `quire lambda` with the libraries of the
// package, by the package's own loader, since the C library of the runtime may be an older one. It
// is linked statically and needs nothing of the runtime.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

struct Path {
  char text[PATH_MAX];
};

Path in(const char* folder, const char* name) {
  Path path{};
  snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
  return path;
}

}  // namespace

int main() {
  char folder[PATH_MAX / 2] = {};
  ssize_t size = readlink("/proc/self/exe", folder, sizeof folder - 1);
  char* end = size > 0 ? strrchr(folder, '/') : nullptr;
  if (!end) {
    fputs("bootstrap cannot find its own folder: there is no /proc.\n", stderr);
    return 1;
  }
  *end = '\0';
  // Debian's OpenSSL and MariaDB look where the runtime has nothing. Settings of the function win.
  setenv("SSL_CERT_FILE", in(folder, "lib/ca-certificates.crt").text, 0);
  setenv("MARIADB_PLUGIN_DIR", in(folder, "lib/mariadb").text, 0);
  Path loader = in(folder, "lib/ld.so"), libraries = in(folder, "lib");
  Path program = in(folder, "quire");
  execl(loader.text, "quire", "--library-path", libraries.text, "--argv0", "quire", program.text,
        "lambda", nullptr);
  perror("bootstrap cannot start lib/ld.so");
  return 1;
}
