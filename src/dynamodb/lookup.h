// Looks up the addresses of one name. A question to a silent name server takes many seconds, cannot
// be taken back, and keeps Asio's only thread for names busy. So all callers share one question,
// and each waits for the answer until its own deadline.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <utility>

#include "loop/one_answer.h"

namespace quire::dynamodb {

class Lookup {
 public:
  using Addresses = boost::asio::ip::tcp::resolver::results_type;
  using Found = std::pair<boost::system::error_code, Addresses>;
  using Ask = OneAnswer<Found>::Ask;

  // `ask` is copied for each question, because a question may outlive the lookup.
  explicit Lookup(Ask ask) : ask_(std::move(ask)) {}

  // timed_out: the deadline came before the answer. An answer is not kept for later callers.
  Awaitable<Found> addresses(Deadline deadline);

 private:
  const Ask ask_;
  OneAnswer<Found> found_;
};

// Asks the system for the addresses of a host and port.
Lookup::Ask system_lookup(std::string host, std::string port);

}  // namespace quire::dynamodb
