// The peer of the benchmarks "shop" and "posts": comments of products in PostgreSQL, as a program that is written in an afternoon has them.
// A page is LIMIT and OFFSET, a filter is WHERE, and the number of pages is count(*), or a count that a trigger keeps (-counts).
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v4/pgxpool"
)

func main() {
	database := flag.String("database", "", "where PostgreSQL is: a connection string or URL")
	counts := flag.Bool("counts", false, "read totals from the table counts, in place of count(*)")
	listen := flag.String("listen", "127.0.0.1:0", "where to serve")
	flag.Parse()

	pool, err := pgxpool.Connect(context.Background(), *database)
	if err != nil {
		log.Fatal(err)
	}
	shop := &shop{database: pool, keepsCounts: *counts}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.SetHTMLTemplate(page)
	router.GET("/v1/products/:product/comments", shop.showJSON)
	router.GET("/products/:product", shop.showHTML)
	router.POST("/v1/products/:product/comments", shop.add)

	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, router))
}
