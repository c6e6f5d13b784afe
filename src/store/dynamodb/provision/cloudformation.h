// The table's definition for CloudFormation, and the function that follows it.
#pragma once

#include <string>
#include <string_view>

#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {

// A template of the table, and, where its parameter PackageBucket is set, of the function
// `quire lambda` with all that it needs. `name` and `options` are the defaults of its parameters.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
std::string cloudformation(const std::string& name, const TableOptions& options);

// The part of the template that the table alone does not need: JSON with Parameters, Conditions,
// Resources and Outputs. All resources have the condition Function.
extern const std::string_view function_template;

}  // namespace quire::dynamodb
