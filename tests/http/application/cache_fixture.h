// An application with a page cache over an embedded store, and one without, over the same store.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "http/application/routes.h"
#include "http/encoding/decompress.h"
#include "http/support.h"
#include "listing/bitmap/indexed.h"
#include "loop/loop.h"
#include "model/document.h"
#include "store/embedded/store.h"
#include "temporary_directory.h"

namespace quire::http {

class CacheTest : public testing::Test {
 protected:
  // A request, as a connection makes it. `also` go with it.
  Response ask(Application& application, Verb method, const std::string& target,
               Headers also = {}) {
    also.push_back({"Host", "localhost:8080"});
    auto sent = fields(also);
    Request request{.method = method, .target = target, .headers = &sent, .id = "the-request-id"};
    auto early = application.check_header(request);
    return early ? std::move(early->response) : wait(application.answer(request)).response;
  }
  Response get(const std::string& target, Headers also = {}) {
    return ask(cached_, Verb::get, target, std::move(also));
  }
  std::string body(const std::string& target) { return std::string(get(target).bytes()); }

  double hits() const { return metrics_.cache_hits->Value(); }
  double misses() const { return metrics_.cache_misses->Value(); }

  Comment post(const std::string& product, const std::string& text, Attributes attributes = {}) {
    Draft draft{.product = product, .rating = 4, .text = text, .attributes = std::move(attributes)};
    return wait(comments_.post(std::move(draft)))->comment;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<embedded::LmdbStore> store_ =
      embedded::LmdbStore::open(directory_.path(), Access::write).value();
  Comments comments_{*store_, bitmap::listings(), Seal({Seal::Key{}})};
  Metrics metrics_{route_names()}, other_metrics_{route_names()};
  Application cached_{comments_, metrics_, {.cache = 4 << 20}};
  Application uncached_{comments_, other_metrics_, {}};
};

}  // namespace quire::http
