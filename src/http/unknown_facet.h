// The error of a filter that names a facet which is not declared.
#pragma once

#include "http/message.h"
#include "http/parameters.h"
#include "loop/awaitable.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

// An error of the service as a problem. If the parameter at fault is of a facet that is not
// declared, the problem names the parameters there are, as for any unknown parameter, and how to
// declare the facet. `allowed`: the parameters of the address.
Awaitable<Response> filter_problem(const Comments& comments, const Error& error, Names allowed);

}  // namespace quire::http
