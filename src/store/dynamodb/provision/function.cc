// Why the settings are what they are:
// - A record is tried until it is 23 hours old, an hour before the stream loses it, since a record
//   that is left out makes numbers and statistics wrong until `quire verify --repair`. Batches with
//   a failure are halved, so one record stops few others.
// - The schedule's call has no records; it says that time goes by. A late one is worth nothing.
// - Each role allows what the code calls on the one resource that it calls it on, and no more.
//   tests/e2e/table/lambda-package.test.mjs holds the table's actions to the requests that it sees.
#include "store/dynamodb/provision/exports.h"

namespace quire::dynamodb {

const std::string_view function_template = R"template({
"Parameters": {
  "PackageBucket": {"Type": "String", "Default": "", "Description":
    "The S3 bucket with the package that tools/package-lambda makes; empty: only the table"},
  "PackageKey": {"Type": "String", "Default": "quire-lambda-x86_64.zip", "Description":
    "The package's key in the bucket; another key replaces the function's code"},
  "Architecture": {"Type": "String", "Default": "x86_64", "AllowedValues": ["x86_64", "arm64"],
    "Description": "Of the machine on which the package was made"},
  "StoreOptions": {"Type": "String", "Default": "statistics=stream", "Description":
    "Further parameters of the store's address, the same for all programs on the table"},
  "Pages": {"Type": "String", "Default": "none", "NoEcho": true, "Description":
    "The page index, as quire takes it after --pages; may hold a password"},
  "Subnets": {"Type": "CommaDelimitedList", "Default": "", "Description":
    "The subnets from which the function reaches the page index and DynamoDB; empty: no VPC"},
  "SecurityGroups": {"Type": "CommaDelimitedList", "Default": "", "Description":
    "The function's security groups, with Subnets"},
  "AlarmTopic": {"Type": "String", "Default": "", "Description":
    "The ARN of the SNS topic that alarms go to; empty: alarms only show in CloudWatch"}
},
"Conditions": {
  "Function": {"Fn::Not": [{"Fn::Equals": [{"Ref": "PackageBucket"}, ""]}]},
  "InVpc": {"Fn::Not": [{"Fn::Equals": [{"Fn::Join": ["", {"Ref": "Subnets"}]}, ""]}]},
  "WithTopic": {"Fn::Not": [{"Fn::Equals": [{"Ref": "AlarmTopic"}, ""]}]}
},
"Resources": {
  "Failures": {"Type": "AWS::SQS::Queue", "Condition": "Function", "Properties": {
    "MessageRetentionPeriod": 1209600, "SqsManagedSseEnabled": true}},
  "Log": {"Type": "AWS::Logs::LogGroup", "Condition": "Function", "Properties": {
    "RetentionInDays": 30}},
  "FunctionRole": {"Type": "AWS::IAM::Role", "Condition": "Function", "Properties": {
    "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [
      {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"},
       "Action": "sts:AssumeRole"}]},
    "Policies": [{"PolicyName": "follow", "PolicyDocument": {"Version": "2012-10-17",
      "Statement": [
        {"Sid": "Table", "Effect": "Allow",
         "Action": ["dynamodb:Query", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem"],
         "Resource": {"Fn::GetAtt": ["Table", "Arn"]}},
        {"Sid": "Stream", "Effect": "Allow",
         "Action": ["dynamodb:DescribeStream", "dynamodb:GetShardIterator", "dynamodb:GetRecords"],
         "Resource": {"Fn::GetAtt": ["Table", "StreamArn"]}},
        {"Sid": "Streams", "Effect": "Allow", "Action": "dynamodb:ListStreams",
         "Resource": {"Fn::Sub": "${Table.Arn}/stream/*"}},
        {"Sid": "Failures", "Effect": "Allow", "Action": "sqs:SendMessage",
         "Resource": {"Fn::GetAtt": ["Failures", "Arn"]}},
        {"Sid": "Log", "Effect": "Allow", "Action": ["logs:CreateLogStream", "logs:PutLogEvents"],
         "Resource": {"Fn::GetAtt": ["Log", "Arn"]}}]}},
      {"Fn::If": ["InVpc", {"PolicyName": "network", "PolicyDocument": {"Version": "2012-10-17",
        "Statement": [
          {"Sid": "Interfaces", "Effect": "Allow",
           "Action": ["ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces",
                      "ec2:DescribeSubnets", "ec2:DeleteNetworkInterface",
                      "ec2:AssignPrivateIpAddresses", "ec2:UnassignPrivateIpAddresses"],
           "Resource": "*"}]}}, {"Ref": "AWS::NoValue"}]}]}},
  "Function": {"Type": "AWS::Lambda::Function", "Condition": "Function", "Properties": {
    "Description": "Keeps page numbers and statistics in step with the table",
    "Runtime": "provided.al2023", "Handler": "bootstrap",
    "Architectures": [{"Ref": "Architecture"}],
    "Code": {"S3Bucket": {"Ref": "PackageBucket"}, "S3Key": {"Ref": "PackageKey"}},
    "MemorySize": 512, "Timeout": 60,
    "Role": {"Fn::GetAtt": ["FunctionRole", "Arn"]},
    "LoggingConfig": {"LogGroup": {"Ref": "Log"}},
    "VpcConfig": {"Fn::If": ["InVpc",
      {"SubnetIds": {"Ref": "Subnets"}, "SecurityGroupIds": {"Ref": "SecurityGroups"}},
      {"Ref": "AWS::NoValue"}]},
    "Environment": {"Variables": {
      "QUIRE_STORE": {"Fn::Sub": "dynamodb:${Table}?region=${AWS::Region}&${StoreOptions}"},
      "QUIRE_PAGES": {"Ref": "Pages"}}}}},
  "Mapping": {"Type": "AWS::Lambda::EventSourceMapping", "Condition": "Function", "Properties": {
    "FunctionName": {"Ref": "Function"},
    "EventSourceArn": {"Fn::GetAtt": ["Table", "StreamArn"]},
    "StartingPosition": "TRIM_HORIZON", "BatchSize": 500, "ParallelizationFactor": 1,
    "FunctionResponseTypes": ["ReportBatchItemFailures"],
    "BisectBatchOnFunctionError": true,
    "MaximumRetryAttempts": -1, "MaximumRecordAgeInSeconds": 82800,
    "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": ["Failures", "Arn"]}}}}},
  "ScheduleRole": {"Type": "AWS::IAM::Role", "Condition": "Function", "Properties": {
    "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [
      {"Effect": "Allow", "Principal": {"Service": "scheduler.amazonaws.com"},
       "Action": "sts:AssumeRole",
       "Condition": {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}}]},
    "Policies": [{"PolicyName": "call", "PolicyDocument": {"Version": "2012-10-17",
      "Statement": [
        {"Sid": "Function", "Effect": "Allow", "Action": "lambda:InvokeFunction",
         "Resource": {"Fn::GetAtt": ["Function", "Arn"]}}]}}]}},
  "Schedule": {"Type": "AWS::Scheduler::Schedule", "Condition": "Function", "Properties": {
    "Description": "Time goes by for the function while nothing is written",
    "ScheduleExpression": "rate(1 minute)", "FlexibleTimeWindow": {"Mode": "OFF"},
    "Target": {"Arn": {"Fn::GetAtt": ["Function", "Arn"]},
               "RoleArn": {"Fn::GetAtt": ["ScheduleRole", "Arn"]},
               "Input": "{}",
               "RetryPolicy": {"MaximumRetryAttempts": 0}}}},
  "ScheduledCalls": {"Type": "AWS::Lambda::EventInvokeConfig", "Condition": "Function",
    "Properties": {"FunctionName": {"Ref": "Function"}, "Qualifier": "$LATEST",
                   "MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60}},
  "BehindAlarm": {"Type": "AWS::CloudWatch::Alarm", "Condition": "Function", "Properties": {
    "AlarmDescription":
      "The function is more than five minutes behind the table: look at its log for the reason",
    "Namespace": "AWS/Lambda", "MetricName": "IteratorAge",
    "Dimensions": [{"Name": "FunctionName", "Value": {"Ref": "Function"}}],
    "Statistic": "Maximum", "Period": 60, "EvaluationPeriods": 5, "DatapointsToAlarm": 5,
    "ComparisonOperator": "GreaterThanThreshold", "Threshold": 300000,
    "TreatMissingData": "notBreaching",
    "AlarmActions": {"Fn::If": ["WithTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}}},
  "ErrorsAlarm": {"Type": "AWS::CloudWatch::Alarm", "Condition": "Function", "Properties": {
    "AlarmDescription":
      "Calls of the function fail: until quire backfill --lambda has run, or see its log",
    "Namespace": "AWS/Lambda", "MetricName": "Errors",
    "Dimensions": [{"Name": "FunctionName", "Value": {"Ref": "Function"}}],
    "Statistic": "Sum", "Period": 60, "EvaluationPeriods": 5, "DatapointsToAlarm": 3,
    "ComparisonOperator": "GreaterThanThreshold", "Threshold": 0,
    "TreatMissingData": "notBreaching",
    "AlarmActions": {"Fn::If": ["WithTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}}},
  "ThrottlesAlarm": {"Type": "AWS::CloudWatch::Alarm", "Condition": "Function", "Properties": {
    "AlarmDescription":
      "Calls of the function are throttled: raise the account's concurrency",
    "Namespace": "AWS/Lambda", "MetricName": "Throttles",
    "Dimensions": [{"Name": "FunctionName", "Value": {"Ref": "Function"}}],
    "Statistic": "Sum", "Period": 60, "EvaluationPeriods": 5, "DatapointsToAlarm": 3,
    "ComparisonOperator": "GreaterThanThreshold", "Threshold": 0,
    "TreatMissingData": "notBreaching",
    "AlarmActions": {"Fn::If": ["WithTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}}},
  "FailuresAlarm": {"Type": "AWS::CloudWatch::Alarm", "Condition": "Function", "Properties": {
    "AlarmDescription":
      "Records were given up: run quire verify --repair, then purge the queue of failures",
    "Namespace": "AWS/SQS", "MetricName": "ApproximateNumberOfMessagesVisible",
    "Dimensions": [{"Name": "QueueName", "Value": {"Fn::GetAtt": ["Failures", "QueueName"]}}],
    "Statistic": "Maximum", "Period": 300, "EvaluationPeriods": 1, "DatapointsToAlarm": 1,
    "ComparisonOperator": "GreaterThanThreshold", "Threshold": 0,
    "TreatMissingData": "notBreaching",
    "AlarmActions": {"Fn::If": ["WithTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}}}
},
"Outputs": {
  "Store": {"Description": "The table, as quire takes it after --store", "Value": {"Fn::If": [
    "Function", {"Fn::Sub": "dynamodb:${Table}?region=${AWS::Region}&${StoreOptions}"},
    {"Fn::Sub": "dynamodb:${Table}?region=${AWS::Region}"}]}},
  "FunctionName": {"Condition": "Function", "Description":
    "The function that keeps page numbers and statistics in step", "Value": {"Ref": "Function"}},
  "FailuresUrl": {"Condition": "Function", "Description":
    "The queue of records that were given up", "Value": {"Ref": "Failures"}}
}
})template";

}  // namespace quire::dynamodb
