package main

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/service/dynamodb"
)

// Where each partition goes on, by its key. A partition without an entry begins at its first comment.
type cursor map[string]key

// An entry's key in its index, all of whose attributes are strings.
type key map[string]string

// An empty cursor is the first page.
func openCursor(text string) (cursor, error) {
	if text == "" {
		return nil, nil
	}
	bytes, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	var opened cursor
	err = json.Unmarshal(bytes, &opened)
	return opened, err
}

func (c cursor) seal() string {
	bytes, _ := json.Marshal(c) // strings cannot fail
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// The cursor after a page: each partition goes on after its last comment on the page. A partition without one stays where it was.
func (c cursor) after(partitions []partition, page []entry) cursor {
	next := cursor{}
	for _, each := range partitions {
		if start, known := c[each.key]; known {
			next[each.key] = start
		}
	}
	for _, shown := range page {
		next[shown.from.key] = key{"PK": shown.PK, "SK": shown.SK, shown.from.attribute: shown.from.key, "GSISK": shown.ID}
	}
	return next
}

// The key in the form that a query takes; none for the beginning.
func (k key) attributes() map[string]*dynamodb.AttributeValue {
	if len(k) == 0 {
		return nil
	}
	made := make(map[string]*dynamodb.AttributeValue, len(k))
	for name, value := range k {
		made[name] = &dynamodb.AttributeValue{S: aws.String(value)}
	}
	return made
}

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// The time in a ULID: its first ten digits, of 5 bits each, are milliseconds.
func createdAt(id string) string {
	var milliseconds int64
	for _, digit := range id[:10] {
		milliseconds = milliseconds<<5 | int64(strings.IndexRune(digits, digit))
	}
	return time.UnixMilli(milliseconds).UTC().Format("2006-01-02T15:04:05.000Z")
}
