// The peer of the benchmark "dynamodb": comments of products on DynamoDB, as its users are told to page over several partitions.
// It queries every selected partition for a whole page, in parallel. The newest comments of all answers are the page. The cursor holds
// where each partition goes on.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/credentials"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/dynamodb"
	"github.com/gin-gonic/gin"
)

func main() {
	table := flag.String("table", "quire", "the table of comments")
	region := flag.String("region", "eu-west-1", "its region")
	endpoint := flag.String("endpoint", "", "where DynamoDB Local listens")
	listen := flag.String("listen", "127.0.0.1:0", "where to serve")
	flag.Parse()

	comments := &comments{database: connect(*region, *endpoint), table: *table}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.GET("/products/:product/comments", comments.get)

	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, router))
}

// Retries and checks are the SDK's own. Its transport keeps two idle connections a host, too few for queries in parallel.
func connect(region, endpoint string) *dynamodb.DynamoDB {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = 0 // no limit
	transport.MaxIdleConnsPerHost = 512
	return dynamodb.New(session.Must(session.NewSession(&aws.Config{
		Region:      aws.String(region),
		Endpoint:    aws.String(endpoint),
		Credentials: credentials.NewStaticCredentials("local", "local", ""),
		HTTPClient:  &http.Client{Transport: transport},
	})))
}
