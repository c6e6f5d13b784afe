// The table's definition for NoSQL Workbench.
#pragma once

#include <string>

namespace quire::dynamodb {

// A data model with a few items as examples. AWS does not document the format, so this has the
// members that the tool's own exports of an on-demand table have, in version 3.0.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/workbench.html
std::string nosql_workbench(const std::string& name);

}  // namespace quire::dynamodb
