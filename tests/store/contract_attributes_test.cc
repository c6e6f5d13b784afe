// What every store does with attributes.
#include "contract.h"
#include "model/document.h"

namespace quire {
namespace {

TEST_P(WritingContract, AttributesAreKeptAndChangedSingly) {
  auto stored = [&](const Ulid& id) {
    auto view = store_->view();
    return decode_document(wait(view->get(id)).value());
  };
  Comment comment = comment_at(1000, 1, "zh-Hant-TW", 5);
  comment.attributes = {{"helpful", 8},
                        {"size", "M \"é\""},
                        {"tags", std::vector<std::string>{"gift", "for Ann"}},
                        {"verified", true}};
  EXPECT_EQ(decode_document(insert(comment)), comment);
  EXPECT_EQ(stored(comment.id), comment);
  auto edited =
      wait(store_->update(comment.id, {.attributes = {{"helpful", 9}, {"size", std::nullopt}}}));
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(decode_document(edited->before), comment);
  comment.attributes["helpful"] = 9;
  comment.attributes.erase("size");
  EXPECT_EQ(decode_document(edited->after), comment);
  EXPECT_EQ(stored(comment.id), comment);

  Patch too_many;
  for (int i = 0; i < 30; ++i) too_many.attributes["n" + std::to_string(i)] = true;
  auto refused = wait(store_->update(comment.id, too_many));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_comment);
  EXPECT_EQ(stored(comment.id), comment) << "nothing changed";
  ASSERT_TRUE(wait(store_->update(comment.id, {.clear_attributes = true})));
  comment.attributes.clear();
  EXPECT_EQ(stored(comment.id), comment);

  Comment other = comment_at(2000, 2, "en", 4);
  other.attributes = {{"helpful", -1}};
  ASSERT_EQ(wait(store_->insert_many({other})).value(), 1u);
  EXPECT_EQ(stored(other.id), other);
}

}  // namespace
}  // namespace quire
