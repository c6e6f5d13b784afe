// The table's definition for other tools.
#pragma once

#include <string>

#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {

// A CloudFormation template. `name` and `options` are the defaults of its parameters.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
std::string cloudformation(const std::string& name, const TableOptions& options);

// A data model for NoSQL Workbench, with a few items as examples. AWS does not document the format,
// so this has the members that the tool's own exports of an on-demand table have, in version 3.0.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/workbench.html
std::string nosql_workbench(const std::string& name);

}  // namespace quire::dynamodb
