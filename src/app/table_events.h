// The log of events of a table, in a directory beside a worker: the table's stream fills it, and
// webhooks are told from it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/app.h"
#include "projection/source.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/stream/source.h"
#include "store/embedded/outbox/outbox.h"
#include "store/embedded/store.h"

namespace quire {

class TableEvents {
 public:
  // Makes the directory where it is missing. invalid_parameter: a table that others made, whose
  // comments have no events; or the directory has a shop's store, or the events of another table.
  // unavailable: another process has the directory, or it is damaged.
  static Result<std::unique_ptr<TableEvents>> open(const std::string& table,
                                                   const std::string& directory);

  projection::Source& source() { return source_; }
  projection::Target& log_of_stream() { return outbox_; }
  // Follows the stream from here on. Whether it does; else the log of the process says why.
  Awaitable<bool> begin();

  // Counters of reading the stream.
  std::vector<Metric> metrics() const;

  Store& log() { return *log_; }
  Comments& comments() { return app_->comments(); }  // of the table

 private:
  TableEvents(const dynamodb::Address& address, std::unique_ptr<embedded::LmdbStore> log,
              std::unique_ptr<App> app);

  dynamodb::TableAccess access_;
  dynamodb::TableSource source_;
  std::unique_ptr<embedded::LmdbStore> log_;
  embedded::Outbox outbox_;
  std::unique_ptr<App> app_;
};

}  // namespace quire
