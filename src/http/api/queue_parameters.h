// The parameters of the queue of moderators, and of the list of all.
#pragma once

#include "http/message.h"
#include "http/parameters.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

// The question that a request asks by its parameters: status, product, since, until, language,
// rating, q, replied, verified, has_text, sort and limit. Others in `allowed` are for the caller to
// take. `question`: what holds where a parameter is absent. invalid_parameter.
Result<QueueQuestion> queue_question(const Request& request, Names allowed,
                                     QueueQuestion question = {});

}  // namespace quire::http
