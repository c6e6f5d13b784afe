package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v4/pgxpool"
)

type shop struct {
	database    *pgxpool.Pool
	keepsCounts bool
}

// A page's parameters: ?page=2&rating=5. No rating is any.
type question struct {
	Product string `form:"-"`
	Page    int    `form:"page,default=1" binding:"min=1"`
	Rating  int    `form:"rating" binding:"min=0,max=5"`
	Limit   int    `form:"limit,default=20" binding:"min=1,max=100"`
}

type draft struct {
	Language string `json:"language" binding:"required,min=2,max=12"`
	Rating   int    `json:"rating" binding:"required,min=1,max=5"`
	Author   string `json:"author" binding:"max=100"`
	Title    string `json:"title" binding:"max=300"`
	Text     string `json:"text" binding:"max=50000"`
}

// GET /v1/products/42/comments?page=2&rating=5
func (s *shop) showJSON(request *gin.Context) {
	if found, ok := s.answer(request); ok {
		request.JSON(http.StatusOK, found)
	}
}

// GET /products/42?page=2&rating=5
func (s *shop) showHTML(request *gin.Context) {
	if found, ok := s.answer(request); ok {
		request.HTML(http.StatusOK, "page", found)
	}
}

func (s *shop) answer(request *gin.Context) (*answer, bool) {
	asked := question{Product: request.Param("product")}
	if err := request.ShouldBindQuery(&asked); err != nil {
		request.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return nil, false
	}
	found, err := s.find(request.Request.Context(), asked)
	if err != nil {
		request.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
		return nil, false
	}
	return found, true
}

// POST /v1/products/42/comments
func (s *shop) add(request *gin.Context) {
	var given draft
	if err := request.ShouldBindJSON(&given); err != nil {
		request.JSON(http.StatusUnprocessableEntity, gin.H{"error": err.Error()})
		return
	}
	made, err := s.insert(request.Request.Context(), request.Param("product"), given)
	if err != nil {
		request.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
		return
	}
	request.JSON(http.StatusCreated, made)
}
