// Real servers for tests that speak DynamoDB's protocol, and keep their data in memory.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "server_process.h"

namespace quire {

class DynamoServer : public ServerProcess {
 public:
  std::string endpoint() const { return "http://127.0.0.1:" + port(); }

 protected:
  // `directory` is below the npm packages; `command` wants the port as its last word.
  DynamoServer(const std::string& directory, std::string command)
      : runs_in_(std::string(QUIRE_SERVERS) + "/" + directory), command_(std::move(command)) {
    if (!std::filesystem::exists(runs_in_))
      throw std::runtime_error(runs_in_ + " is missing: run tools/setup test");
    start();
  }

 private:
  std::vector<std::string> command() const override {
    std::istringstream words(command_ + " " + port());
    return {std::istream_iterator<std::string>(words), {}};
  }
  std::string runs_in() const override { return runs_in_; }

  // Whether the server answers a request for its tables.
  bool answers() override {
    boost::asio::ip::tcp::iostream stream;
    stream.expires_after(std::chrono::seconds(10));
    stream.connect("127.0.0.1", port());
    stream << "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\n"
              "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20240101T000000Z\r\n"
              "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
              "Authorization: AWS4-HMAC-SHA256 Credential=any/20240101/eu-west-1/dynamodb/"
              "aws4_request, SignedHeaders=host, Signature=0\r\n\r\n{}"
           << std::flush;
    std::string version, status;
    stream >> version >> status;
    return status == "200";
  }

  const std::string runs_in_, command_;
};

// Amazon's own server. It has everything that Quire uses.
class LocalDynamo final : public DynamoServer {
 public:
  LocalDynamo()
      : DynamoServer("amplify-dynamodb-simulator/emulator",
                     "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "  // start in half the time
                     "-Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar "
                     "-inMemory -sharedDb -disableTelemetry -port") {}
};

// A server that is independent of Amazon's. It has neither transactions nor streams.
class Dynalite final : public DynamoServer {
 public:
  Dynalite()
      : DynamoServer("dynalite",
                     "node cli.js --createTableMs 0 --deleteTableMs 0 --updateTableMs 0 "
                     "--host 127.0.0.1 --port") {}
};

}  // namespace quire
