#include "mapping/presets/presets.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "mapping/columns/personal.h"
#include "mapping/file_mapping.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

TEST(Presets, AreTheFilesInMaps) {
  std::set<std::string> files, names;
  for (const auto& entry : fs::directory_iterator(fs::path(QUIRE_SOURCE) / "maps"))
    files.insert(entry.path().filename());
  for (const auto& preset : presets()) names.insert(std::string(preset.name) + ".toml");
  EXPECT_GT(names.size(), 10u);
  EXPECT_EQ(names, files);
}

TEST(Presets, SayInTheirFirstLineWhoseFilesTheyRead) {
  for (const auto& preset : presets()) {
    EXPECT_TRUE(preset.text.starts_with("# ")) << preset.name;
    EXPECT_TRUE(preset.sentence.ends_with(".")) << preset.name << ": " << preset.sentence;
    EXPECT_NE(preset.sentence.find(": "), preset.sentence.npos) << preset.name;
    EXPECT_LE(preset.sentence.size(), 98u) << preset.name;
  }
}

TEST(Presets, SayWhichWereMadeFromDocumentation) {
  const std::set<std::string_view> unseen = {"loox", "okendo", "shopify", "stamped", "yotpo"};
  for (const auto& preset : presets()) {
    bool marked = preset.sentence.ends_with("made from documentation: compare the first rows.");
    EXPECT_EQ(marked, unseen.contains(preset.name)) << preset.name;
  }
}

TEST(Presets, AreFoundByName) {
  ASSERT_NE(find_preset("judgeme"), nullptr);
  EXPECT_EQ(find_preset("judgeme")->name, "judgeme");
  EXPECT_EQ(find_preset("judgeme.toml"), nullptr);
  EXPECT_EQ(find_preset(""), nullptr);
}

// Of each column whose texts or numbers a mapping keeps; pictures are as users sent them.
std::set<std::string> columns_of(const FileMapping& mapping) {
  std::set<std::string> out;
  auto add = [&](const std::optional<MappedField>& field) {
    if (field) out.insert(field->columns.begin(), field->columns.end());
  };
  for (const auto* field :
       {&mapping.id, &mapping.product, &mapping.language, &mapping.title, &mapping.text,
        &mapping.status, &mapping.reply.text, &mapping.reply.created_at})
    add(*field);
  for (const auto& attribute : mapping.attributes) add(attribute.field);
  add(mapping.created_at);
  add(mapping.rating);
  return out;
}

TEST(Presets, AreMappingsWithTheirNameAsSource) {
  for (const auto& preset : presets()) {
    auto mapping = parse_file_mapping(preset.text, preset.name);
    ASSERT_TRUE(mapping) << mapping.error().message;
    EXPECT_EQ(mapping->source, preset.name);
    EXPECT_TRUE(mapping->product && mapping->text) << preset.name;
    EXPECT_FALSE(mapping->customer) << preset.name;
  }
}

TEST(Presets, MapNoColumnAboutAPerson) {
  for (const auto& preset : presets()) {
    auto mapping = parse_file_mapping(preset.text, preset.name).value();
    auto columns = columns_of(mapping);
    EXPECT_GE(columns.size(), 5u) << preset.name;
    for (const auto& column : columns)
      EXPECT_EQ(personal_word(column), "") << preset.name << ": " << column;
    if (!mapping.author) continue;
    for (const auto& column : mapping.author->columns)
      EXPECT_EQ(personal_word(column, true), "") << preset.name << ": " << column;
  }
  EXPECT_EQ(personal_word("reviewer_email"), "email");
}

// Other visitors' answers are not the shop's.
TEST(Presets, AskWhoseAnswersAreTheShops) {
  std::size_t asking = 0;
  for (const auto& preset : presets()) {
    auto mapping = parse_file_mapping(preset.text, preset.name).value();
    if (mapping.reply.of.empty()) continue;
    ++asking;
    EXPECT_FALSE(mapping.reply.when.empty()) << preset.name;
  }
  EXPECT_GT(asking, 0u);
}

}  // namespace
}  // namespace quire
