// Looks up the addresses of a host.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <utility>

#include "loop/one_answer.h"

namespace quire {

// Looks up the addresses of one name. A question to a silent name server takes many seconds, cannot
// be taken back, and keeps Asio's only thread for names busy. So all callers share one question,
// and each waits for the answer until its own deadline.
class AddressLookup {
 public:
  using Addresses = boost::asio::ip::tcp::resolver::results_type;
  using Resolved = std::pair<boost::system::error_code, Addresses>;
  using Ask = OneAnswer<Resolved>::Ask;

  // `ask` is copied for each question, because a question may outlive the lookup.
  explicit AddressLookup(Ask ask) : ask_(std::move(ask)) {}

  // timed_out: the deadline came before the answer. An answer is not kept for later callers.
  Awaitable<Resolved> addresses(Deadline deadline);

 private:
  const Ask ask_;
  OneAnswer<Resolved> found_;
};

// Asks the system for the addresses of a host and port.
AddressLookup::Ask system_lookup(std::string host, std::string port);

}  // namespace quire
