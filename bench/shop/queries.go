package main

import (
	"context"
	"time"
)

type comment struct {
	ID        string    `json:"id"`
	Product   string    `json:"product"`
	Language  string    `json:"language"`
	Rating    int       `json:"rating"`
	CreatedAt time.Time `json:"created_at"`
	Author    string    `json:"author"`
	Title     string    `json:"title"`
	Text      string    `json:"text"`
}

type answer struct {
	question `json:"-"`
	Comments []comment `json:"comments"`
	Number   int       `json:"page"`
	Count    int       `json:"pages"`
	Total    int       `json:"total"`
}

const columns = `id, product, language, rating, created_at, author, title, text`

const newest = ` ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`

// The driver prepares each statement once a connection, and keeps it.
func (s *shop) find(ctx context.Context, asked question) (*answer, error) {
	total, err := s.total(ctx, asked)
	if err != nil {
		return nil, err
	}
	query := `SELECT ` + columns + ` FROM comments WHERE product = $1` + newest
	arguments := []any{asked.Product, asked.Limit, (asked.Page - 1) * asked.Limit}
	if asked.Rating > 0 {
		query = `SELECT ` + columns + ` FROM comments WHERE product = $1 AND rating = $4` + newest
		arguments = append(arguments, asked.Rating)
	}
	rows, err := s.database.Query(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := &answer{question: asked, Comments: []comment{}, Number: asked.Page, Count: (total + asked.Limit - 1) / asked.Limit, Total: total}
	for rows.Next() {
		var c comment
		if err := rows.Scan(&c.ID, &c.Product, &c.Language, &c.Rating, &c.CreatedAt, &c.Author, &c.Title, &c.Text); err != nil {
			return nil, err
		}
		found.Comments = append(found.Comments, c)
	}
	return found, rows.Err()
}

func (s *shop) total(ctx context.Context, asked question) (total int, err error) {
	query := `SELECT count(*) FROM comments WHERE product = $1`
	if s.keepsCounts {
		query = `SELECT coalesce(sum(comments), 0) FROM counts WHERE product = $1`
	}
	arguments := []any{asked.Product}
	if asked.Rating > 0 {
		query += ` AND rating = $2`
		arguments = append(arguments, asked.Rating)
	}
	err = s.database.QueryRow(ctx, query, arguments...).Scan(&total)
	return total, err
}

func (s *shop) insert(ctx context.Context, product string, given draft) (*comment, error) {
	made := &comment{Product: product, Language: given.Language, Rating: given.Rating, Author: given.Author, Title: given.Title, Text: given.Text}
	err := s.database.QueryRow(ctx, `INSERT INTO comments (product, language, rating, author, title, text)
		VALUES ($1, $2, $3, $4, $5, $6) RETURNING id, created_at`,
		product, given.Language, given.Rating, given.Author, given.Title, given.Text).Scan(&made.ID, &made.CreatedAt)
	return made, err
}
