// A table that another program writes, on a server of DynamoDB, and the store that reads it. Each
// write becomes a record of the stream, which the page index takes up at once.
#pragma once

#include <boost/json.hpp>
#include <map>

#include "contract.h"
#include "page_index/facet_view.h"
#include "page_index/lmdb/index.h"
#include "store/dynamodb/adopted/records.h"
#include "store/dynamodb/adopted/store.h"
#include "table_backend.h"

namespace quire {

class AdoptedStand : public Stand {
 public:
  // Beside a page index in `directory`.
  static std::unique_ptr<AdoptedStand> open_indexed(const std::string& directory) {
    return open(directory, true, "");
  }
  // With the table itself as the mapping's index.
  static std::unique_ptr<AdoptedStand> open_by_time(const std::string& directory) {
    return open(directory, false, "[[index]]\n");
  }
  static std::unique_ptr<AdoptedStand> open_both(const std::string& directory) {
    return open(directory, true, "[[index]]\n");
  }
  // With indexes by language and by rating, as the articles have them, and none by both.
  static std::unique_ptr<AdoptedStand> open_by_lists(const std::string& directory) {
    return open(directory, false, std::string("[[index]]\n") + more_lists, true);
  }

  Comment add(const Comment& comment) override {
    return write(comment, time_of(comment) + "#" + comment.id.text());
  }
  void change(const Comment& comment) override {
    EXPECT_EQ(write(comment, keys_.at(comment.id)), comment);
  }
  void remove(const Comment& comment) override {
    auto key = remove_unseen(comment);
    follow({dynamodb::Record::Kind::remove, "1", std::move(key)});
  }
  std::optional<bitmap_index::Source> bitmaps(View&, const std::string& product) override {
    facets_ = index_->facet_view().value();
    return facets_->bitmaps(product).value();
  }

  // A comment whose sort key begins with `time`.
  Comment add_at(const Comment& comment, const std::string& time) {
    return write(comment, time + "#" + comment.id.text());
  }
  // The page index has comments that the table does not have.
  void add_gone(const std::vector<Comment>& comments) {
    std::vector<change::Change> changes;
    for (const auto& comment : comments) {
      change::IndexedValues values{cell(comment.language, comment.rating), {}};
      changes.push_back({comment.product, comment.id, {}, std::move(values)});
    }
    EXPECT_TRUE(wait(index_->put(std::move(changes))));
  }
  // The page index has a comment under a name that is none, as a flipped bit gives it.
  void misname(const std::string& product) {
    auto comment = comment_at(1000, 9, "en", 5);
    change::Change put{product, comment.id, {}, cell(comment.language, comment.rating)};
    put.key = product;
    EXPECT_TRUE(wait(index_->put({std::move(put)})));
  }
  // The page index does not learn of it. Returns the item's key.
  dynamodb::Item remove_unseen(const Comment& comment) {
    auto key = key_of(comment, keys_.at(comment.id));
    send(dynamodb::delete_item(name_, key, {}, dynamodb::Repeat::safe));
    return key;
  }

 private:
  AdoptedStand(std::string name, std::unique_ptr<dynamodb::TableAccess> writer,
               std::unique_ptr<PageIndex> index, adopted::AdoptedTable table)
      : Stand({}),
        name_(std::move(name)),
        writer_(std::move(writer)),
        index_(std::move(index)),
        table_(std::move(table)) {
    auto reader = std::make_unique<dynamodb::TableAccess>(writer_->address);
    store_ = std::make_unique<adopted::AdoptedStore>(std::move(reader), table_, index_.get());
  }

  static std::unique_ptr<AdoptedStand> open(const std::string& directory, bool indexed,
                                            const std::string& index_lines,
                                            bool more_indexes = false) {
    auto name = "t" + std::filesystem::path(directory).filename().string();
    auto address = table_address(endpoint_of<LocalDynamo>(), name, dynamodb::StatisticsBy::stream);
    auto access = std::make_unique<dynamodb::TableAccess>(address);
    auto mapping = adopted::parse_mapping(fields + index_lines, "m");
    auto table = wait(adopted::describe(*access, *mapping));
    if (!table) {
      auto made =
          dynamodb::Call{"CreateTable", definition(name, more_indexes), dynamodb::Repeat::unsafe};
      EXPECT_FALSE(wait(access->loop.run(access->client.send(std::move(made)))).failure);
      table = wait(adopted::describe(*access, *mapping));
    }
    std::unique_ptr<PageIndex> index;
    if (indexed) index = page_index::LmdbIndex::open(directory, Access::write).value();
    if (index && wait(index->state())->phase == change::Phase::empty) {
      change::State state{change::Phase::following, "e", table->followed_name()};
      EXPECT_TRUE(wait(index->reset(std::move(state))));
    }
    return std::unique_ptr<AdoptedStand>(
        new AdoptedStand(name, std::move(access), std::move(index), std::move(*table)));
  }

  static constexpr auto fields = R"([comment]
product = { attribute = "PK", pattern = "PRODUCT#{product}" }
created_at = { attribute = "SK", pattern = "{created_at}#{rest}" }
language = { attribute = "lang" }
rating = { attribute = "stars" }
author = { attribute = "author" }
title = { attribute = "title" }
text = { attribute = "text" }
)";

  static constexpr auto more_lists = R"([[index]]
name = "byLang"
key = { attribute = "LANG", pattern = "PRODUCT#{product}/{language}" }
[[index]]
name = "byRating"
key = { attribute = "RATING", pattern = "PRODUCT#{product}/{rating}" }
)";

  static std::string definition(const std::string& name, bool more_indexes) {
    auto attribute = [](const char* of) {
      return boost::json::value{{"AttributeName", of}, {"AttributeType", "S"}};
    };
    auto key = [](const char* of, const char* kind) {
      return boost::json::value{{"AttributeName", of}, {"KeyType", kind}};
    };
    boost::json::object stream{{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}};
    boost::json::object table{
        {"TableName", name},
        {"BillingMode", "PAY_PER_REQUEST"},
        {"AttributeDefinitions", boost::json::array{attribute("PK"), attribute("SK")}},
        {"KeySchema", boost::json::array{key("PK", "HASH"), key("SK", "RANGE")}},
        {"StreamSpecification", std::move(stream)}};
    if (!more_indexes) return boost::json::serialize(table);
    // One has all attributes, the other keys alone.
    boost::json::array more;
    auto add = [&](const char* index, const char* partition, const char* projection) {
      table["AttributeDefinitions"].as_array().push_back(attribute(partition));
      more.push_back({{"IndexName", index},
                      {"KeySchema", boost::json::array{key(partition, "HASH"), key("SK", "RANGE")}},
                      {"Projection", {{"ProjectionType", projection}}}});
    };
    add("byLang", "LANG", "ALL");
    add("byRating", "RATING", "KEYS_ONLY");
    table["GlobalSecondaryIndexes"] = std::move(more);
    return boost::json::serialize(table);
  }

  // Programs write a time in several forms, which do not sort by time within a second.
  static std::string time_of(const Comment& comment) {
    auto text = time_text(comment.created_ms());
    auto seconds = text.substr(0, 19), fraction = text.substr(19, 4);
    switch (comment.text.back() % 3) {
      case 0:
        return seconds + (fraction == ".000" ? "" : fraction) + "Z";
      case 1:
        return seconds + fraction + "+00:00";
      default:
        return seconds + fraction + "000";
    }
  }

  static dynamodb::Item key_of(const Comment& comment, const std::string& sort) {
    return {{"PK", dynamodb::string("PRODUCT#" + comment.product)}, {"SK", dynamodb::string(sort)}};
  }

  Comment write(const Comment& comment, const std::string& sort) {
    auto key = key_of(comment, sort), item = key;
    item["lang"] = dynamodb::string(comment.language);
    item["LANG"] = dynamodb::string("PRODUCT#" + comment.product + "/" + comment.language);
    item["RATING"] =
        dynamodb::string("PRODUCT#" + comment.product + "/" + std::to_string(comment.rating));
    item["stars"] = {dynamodb::Type::number, std::to_string(comment.rating)};
    item["author"] = dynamodb::string(comment.author);
    item["title"] = dynamodb::string(comment.title);
    item["text"] = dynamodb::string(comment.text);
    send(dynamodb::put_item(name_, item, {}, dynamodb::Repeat::safe));
    auto stored = table_.read(item).comment.value();
    auto expected = comment;
    expected.id = stored.id;
    EXPECT_EQ(stored, expected);
    keys_[stored.id] = sort;
    follow({dynamodb::Record::Kind::insert, "1", std::move(key), {}, std::move(item)});
    return stored;
  }

  void send(dynamodb::Call call) {
    EXPECT_FALSE(wait(writer_->loop.run(writer_->client.send(std::move(call)))).failure);
  }

  void follow(dynamodb::Record record) {
    if (!index_) return;
    auto changes = wait(adopted::changes_of(*writer_, table_, {std::move(record)})).value();
    EXPECT_TRUE(wait(index_->put(std::move(changes))));
  }

  std::string name_;
  std::unique_ptr<dynamodb::TableAccess> writer_;
  std::unique_ptr<PageIndex> index_;
  adopted::AdoptedTable table_;
  std::unique_ptr<FacetView> facets_;
  std::map<Ulid, std::string> keys_;  // sort keys
};

inline const Backend adopted_with_lmdb{"adopted_with_lmdb", AdoptedStand::open_indexed};
inline const Backend adopted_by_time{"adopted_by_time", AdoptedStand::open_by_time};
inline const Backend adopted_by_lists{"adopted_by_lists", AdoptedStand::open_by_lists};
inline const Backend adopted_with_both{"adopted_with_both", AdoptedStand::open_both};

}  // namespace quire
