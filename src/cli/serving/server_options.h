// The options of the HTTP server, from those of `quire serve`.
#pragma once

#include "cli/serving/serve_options.h"
#include "http/server/server.h"
#include "quire/result.h"

namespace quire::cli {

// Raises this process's limit of open files, because each connection needs one; where that is not
// enough, takes fewer connections and logs a warning. invalid_parameter.
Result<http::ServerOptions> server_options(const ServeOptions& options);

}  // namespace quire::cli
