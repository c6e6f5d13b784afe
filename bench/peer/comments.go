package main

import (
	"encoding/json"
	"net/http"
	"sort"
	"strconv"

	"github.com/aws/aws-sdk-go/service/dynamodb"
	"github.com/gin-gonic/gin"
)

type comments struct {
	database *dynamodb.DynamoDB
	table    string
}

type comment struct {
	ID        string `json:"id"`
	Product   string `json:"product"`
	Language  string `json:"language"`
	Rating    int    `json:"rating"`
	CreatedAt string `json:"created_at"`
	content
}

// The JSON in an item's data.
type content struct {
	Author string `json:"author"`
	Title  string `json:"title"`
	Text   string `json:"text"`
}

// A page, and where the next one begins; no cursor after the last.
type answer struct {
	Comments []comment `json:"comments"`
	Cursor   string    `json:"cursor,omitempty"`
}

// An entry of an index, and the partition it came from.
type entry struct {
	item
	from partition
}

// GET /products/42/comments?language=en&rating=4&rating=5&limit=20&cursor=…
func (c *comments) get(request *gin.Context) {
	limit, err := strconv.Atoi(request.DefaultQuery("limit", "20"))
	if err != nil || limit < 1 || limit > 100 {
		request.JSON(http.StatusBadRequest, gin.H{"error": "limit is 1 to 100"})
		return
	}
	start, err := openCursor(request.Query("cursor"))
	if err != nil {
		request.JSON(http.StatusBadRequest, gin.H{"error": "this is no cursor"})
		return
	}
	product := request.Param("product")
	partitions := selected(product, request.QueryArray("language"), request.QueryArray("rating"))
	results, err := c.queryAll(request.Request.Context(), partitions, start, limit)
	if err != nil {
		request.JSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	page, more := newest(partitions, results, limit)
	found := answer{Comments: make([]comment, len(page))}
	for i, entry := range page {
		if found.Comments[i], err = entry.comment(product); err != nil {
			request.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
			return
		}
	}
	if more {
		found.Cursor = start.after(partitions, page).seal()
	}
	reportCost(request, results)
	request.JSON(http.StatusOK, found)
}

// The newest entries of all, and whether more entries follow.
func newest(partitions []partition, results []result, limit int) ([]entry, bool) {
	var page []entry
	more := false
	for i, result := range results {
		for _, item := range result.items {
			page = append(page, entry{item, partitions[i]})
		}
		more = more || result.more
	}
	sort.Slice(page, func(i, j int) bool { return page[i].ID > page[j].ID })
	if len(page) > limit {
		return page[:limit], true
	}
	return page, more
}

func (e entry) comment(product string) (comment, error) {
	made := comment{ID: e.ID, Product: product, Language: e.Language, Rating: e.Rating, CreatedAt: createdAt(e.ID)}
	err := json.Unmarshal([]byte(e.Data), &made.content)
	return made, err
}

func reportCost(request *gin.Context, results []result) {
	consumed, read := 0.0, 0
	for _, result := range results {
		consumed += result.consumed
		read += len(result.items)
	}
	request.Header("X-Consumed-Capacity", strconv.FormatFloat(consumed, 'f', -1, 64))
	request.Header("X-Entries-Read", strconv.Itoa(read))
	request.Header("X-Requests", strconv.Itoa(len(results)))
}
