// Real servers for tests: each is a child process on a free port, keeps its data in memory, and
// ends with its object, and with the thread that made it, however that thread ends.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "child_process.h"
#include "temporary_directory.h"

namespace quire {

// A server that speaks DynamoDB's protocol.
class DynamoServer {
 public:
  std::string endpoint() const { return "http://127.0.0.1:" + port_; }

 protected:
  // `directory` is below the npm packages; `command` wants the port as its last word.
  DynamoServer(const std::string& directory, const std::string& command) {
    std::string packages = QUIRE_SERVERS;
    if (!std::filesystem::exists(packages + "/" + directory))
      throw std::runtime_error("no " + directory + " in " + packages + ": run tools/setup test");
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!answers()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error(directory + " does not answer; it printed: " + printed());
      // The server ends if another process takes the port first.
      if (!process_ || !process_->running()) {
        port_ = free_port();
        process_.emplace(words(command + " " + port_), packages + "/" + directory, log());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

 private:
  // Whether the server answers a request for its tables.
  bool answers() const {
    if (!process_) return false;
    boost::asio::ip::tcp::iostream stream;
    stream.expires_after(std::chrono::seconds(10));
    stream.connect("127.0.0.1", port_);
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

  static std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
  }

  std::string log() const { return directory_.path() + "/log"; }
  std::string printed() const {
    std::ifstream file(log());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryDirectory directory_;
  std::string port_;
  std::optional<ChildProcess> process_;
};

// Amazon's own server. It has everything that Quire uses.
class LocalDynamo : public DynamoServer {
 public:
  LocalDynamo()
      : DynamoServer("amplify-dynamodb-simulator/emulator",
                     "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "  // start in half the time
                     "-Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar "
                     "-inMemory -sharedDb -disableTelemetry -port") {}
};

// A server that is independent of Amazon's. It has neither transactions nor streams.
class Dynalite : public DynamoServer {
 public:
  Dynalite()
      : DynamoServer("dynalite",
                     "node cli.js --createTableMs 0 --deleteTableMs 0 --updateTableMs 0 "
                     "--host 127.0.0.1 --port") {}
};

}  // namespace quire
