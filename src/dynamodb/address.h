// What names a table: dynamodb:TABLE?region=R&endpoint=URL&statistics=stream&profile=P&leaders=N
#pragma once

#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire::dynamodb {

// Where requests go.
struct Origin {
  bool tls;
  std::string host;
  std::string port;

  // As the Host header has it.
  std::string authority() const;
};

// "http://127.0.0.1:8000"; nothing more than scheme, host and port.
Result<Origin> parse_origin(std::string_view url);

// Who keeps the statistics items: each write, in one transaction with the comment; or whoever
// follows the table's stream, and a write touches the comment alone.
enum class StatisticsBy { write, stream };

struct Address {
  std::string table;
  std::string region;
  Origin endpoint;
  Origin streams;  // of the table's stream
  StatisticsBy statistics = StatisticsBy::write;
  std::string profile = {};  // of the shared credentials; empty: the usual order of sources
  std::size_t leaders = 1;   // partitions of each leaderboard, 1 to 32
};

// Without an endpoint: AWS's own of the region. Without a region: AWS_REGION or AWS_DEFAULT_REGION,
// which the caller passes as `region`.
Result<Address> parse_address(std::string_view text, std::string_view region);

}  // namespace quire::dynamodb
