// The table as texts for other tools.
#pragma once

#include <string>

#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {

// A CloudFormation template. Name and units are parameters of it, with these as defaults.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
std::string cloudformation(const std::string& name, const TableOptions& options);

// A data model for NoSQL Workbench, with a few items as examples. AWS documents the tool and not
// its format, so this has the members that the tool's own exports of a table on demand have, in
// version 3.0 of the format.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/workbench.html
std::string nosql_workbench(const std::string& name);

}  // namespace quire::dynamodb
