package main

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/service/dynamodb"
	"github.com/aws/aws-sdk-go/service/dynamodb/dynamodbattribute"
)

// The attributes of a comment that an index holds.
type item struct {
	PK       string
	SK       string
	ID       string `dynamodbav:"GSISK"`
	Language string `dynamodbav:"language"`
	Rating   int    `dynamodbav:"rating"`
	Data     string `dynamodbav:"data"`
}

type result struct {
	items    []item
	more     bool
	consumed float64
	err      error
}

// Reads a page of each partition, all at once. Returns the first error, if there is one.
func (c *comments) queryAll(ctx context.Context, partitions []partition, start cursor, limit int) ([]result, error) {
	results := make([]result, len(partitions))
	var waiting sync.WaitGroup
	for i := range partitions {
		waiting.Add(1)
		go func(i int) {
			defer waiting.Done()
			results[i] = c.query(ctx, partitions[i], start[partitions[i].key], limit)
		}(i)
	}
	waiting.Wait()
	for _, result := range results {
		if result.err != nil {
			return nil, result.err
		}
	}
	return results, nil
}

func (c *comments) query(ctx context.Context, from partition, start key, limit int) result {
	output, err := c.database.QueryWithContext(ctx, &dynamodb.QueryInput{
		TableName:                 aws.String(c.table),
		IndexName:                 aws.String(from.index),
		KeyConditionExpression:    aws.String("#partition = :partition"),
		ExpressionAttributeNames:  map[string]*string{"#partition": aws.String(from.attribute)},
		ExpressionAttributeValues: map[string]*dynamodb.AttributeValue{":partition": {S: aws.String(from.key)}},
		ExclusiveStartKey:         start.attributes(),
		ScanIndexForward:          aws.Bool(false),
		Limit:                     aws.Int64(int64(limit)),
		ReturnConsumedCapacity:    aws.String(dynamodb.ReturnConsumedCapacityTotal),
	})
	if err != nil {
		return result{err: err}
	}
	found := result{more: output.LastEvaluatedKey != nil, consumed: aws.Float64Value(output.ConsumedCapacity.CapacityUnits)}
	found.err = dynamodbattribute.UnmarshalListOfMaps(output.Items, &found.items)
	return found
}
