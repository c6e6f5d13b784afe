// That the template holds together: CloudFormation would refuse it otherwise, and only on AWS.
#include "store/dynamodb/provision/exports.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <regex>
#include <set>

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

class Template : public testing::Test {
 protected:
  bool has(const char* section, const std::string& name) const {
    return whole_.at(section).as_object().contains(name);
  }
  // The condition of a resource or output; empty: it is always there.
  static std::string condition(const json::value& part) {
    auto* named = part.as_object().if_contains("Condition");
    return named ? json::value_to<std::string>(*named) : "";
  }
  // Calls `use` with each name that the value refers to, and its attribute if it names one.
  using Use = std::function<void(const std::string& name, const std::string& attribute)>;
  static void references(const json::value& value, const Use& use);
  const json::value& resource(const std::string& name) const {
    return whole_.at("Resources").at(name);
  }

  json::value whole_ = json::parse(cloudformation("comments", {}));
};

void Template::references(const json::value& value, const Use& use) {
  static const std::regex embedded(R"(\$\{([A-Za-z:]+)(?:\.([A-Za-z]+))?\})");
  if (auto* array = value.if_array()) {
    for (const auto& each : *array) references(each, use);
  }
  auto* object = value.if_object();
  if (!object) return;
  for (const auto& [name, inner] : *object) {
    if (name == "Ref") {
      use(json::value_to<std::string>(inner), "");
    } else if (name == "Fn::GetAtt") {
      use(json::value_to<std::string>(inner.at(0)), json::value_to<std::string>(inner.at(1)));
    } else if (name == "Fn::Sub") {
      auto text = json::value_to<std::string>(inner);
      for (std::sregex_iterator at(text.begin(), text.end(), embedded), end; at != end; ++at)
        use((*at)[1], (*at)[2]);
    } else {
      references(inner, use);
    }
  }
}

TEST_F(Template, RefersOnlyToWhatIsThere) {
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference: "Return values"
  const std::map<std::string, std::set<std::string>> attributes = {
      {"AWS::DynamoDB::Table", {"Arn", "StreamArn"}},
      {"AWS::IAM::Role", {"Arn", "RoleId"}},
      {"AWS::Lambda::Function", {"Arn"}},
      {"AWS::Logs::LogGroup", {"Arn"}},
      {"AWS::SQS::Queue", {"Arn", "QueueName", "QueueUrl"}}};
  const std::set<std::string> given = {"AWS::AccountId", "AWS::NoValue", "AWS::Region"};
  std::set<std::string> used;
  references(whole_, [&](const std::string& name, const std::string& attribute) {
    used.insert(name);
    if (attribute.empty()) {
      EXPECT_TRUE(given.contains(name) || has("Parameters", name) || has("Resources", name))
          << name;
      return;
    }
    ASSERT_TRUE(has("Resources", name)) << name;
    auto type = json::value_to<std::string>(resource(name).at("Type"));
    EXPECT_TRUE(attributes.contains(type) && attributes.at(type).contains(attribute))
        << name << "." << attribute;
  });
  for (const auto& parameter : whole_.at("Parameters").as_object())
    EXPECT_TRUE(used.contains(parameter.key())) << parameter.key() << " is used";
}

TEST_F(Template, NamesConditionsThatAreThere) {
  std::set<std::string> used;
  std::function<void(const json::value&)> look = [&](const json::value& value) {
    if (auto* array = value.if_array())
      for (const auto& each : *array) look(each);
    if (auto* object = value.if_object()) {
      for (const auto& [name, inner] : *object) {
        if (name == "Condition" && inner.is_string())
          used.insert(json::value_to<std::string>(inner));
        if (name == "Fn::If") used.insert(json::value_to<std::string>(inner.at(0)));
        look(inner);
      }
    }
  };
  look(whole_);
  std::set<std::string> there;
  for (const auto& each : whole_.at("Conditions").as_object()) there.insert(each.key());
  EXPECT_EQ(used, there);
}

TEST_F(Template, WithoutAPackageHasTheTableAlone) {
  for (const auto& [name, part] : whole_.at("Resources").as_object()) {
    EXPECT_EQ(condition(part), name == "Table" ? "" : "Function") << name;
    if (!condition(part).empty()) continue;
    references(part, [&](const std::string& other, const std::string&) {
      EXPECT_FALSE(has("Resources", other) && !condition(resource(other)).empty()) << other;
    });
  }
  for (const auto& [name, part] : whole_.at("Outputs").as_object()) {
    if (!condition(part).empty() || name == "Store") continue;  // Store chooses by the condition
    references(part, [&](const std::string& other, const std::string&) {
      EXPECT_TRUE(condition(resource(other)).empty()) << other;
    });
  }
}

// A statement for all resources is needed only where the service allows no other.
TEST_F(Template, GivesNoRightsOnEverything) {
  std::size_t statements = 0;
  for (const auto& [name, part] : whole_.at("Resources").as_object()) {
    std::function<void(const json::value&)> look = [&](const json::value& value) {
      if (auto* array = value.if_array())
        for (const auto& each : *array) look(each);
      auto* object = value.if_object();
      if (!object) return;
      if (object->contains("Action") && object->contains("Sid")) {
        ++statements;
        auto actions = json::serialize(object->at("Action"));
        EXPECT_EQ(actions.find('*'), actions.npos) << actions;
        EXPECT_EQ(object->at("Resource") == "*", object->at("Sid") == "Interfaces");
      }
      for (const auto& each : *object) look(each.value());
    };
    look(part);
  }
  EXPECT_EQ(statements, 7u);
}

}  // namespace
}  // namespace quire::dynamodb
