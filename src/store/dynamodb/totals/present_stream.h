// The stream that the table has now, for those who read from what follows a stream. A table that
// was deleted and made again, or restored, has another one under the same name.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "dynamodb/table_client.h"
#include "loop/one_answer.h"

namespace quire::dynamodb {

// Why a page index or statistics that follow another stream are not read.
inline constexpr std::string_view another_stream =
    "The page index was not built for this table, or the table has another stream since: run quire "
    "backfill.";

// Used on the client's loop.
class PresentStream {
 public:
  explicit PresentStream(TableClient& client) : client_(client) {}

  // Whether the table has this stream. Describes the table at the first call, and where the stream
  // is another one, once in a few seconds. Yes, too, where the table has no stream, cannot be
  // described, or is an engine's that has no streams: then nothing says otherwise.
  Awaitable<bool> is(std::string arn);

 private:
  Awaitable<Done> ask();

  TableClient& client_;
  OneAnswer<Done> answer_;
  std::string arn_;  // empty: not known, or there is none
  Deadline known_until_{};
};

}  // namespace quire::dynamodb
