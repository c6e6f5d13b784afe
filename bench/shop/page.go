package main

import (
	_ "embed"
	"html/template"
)

//go:embed page.html
var source string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"add": func(a, b int) int { return a + b },
}).Parse(source))

// For the template: the choices of a rating.
func (answer) Stars() []int { return []int{5, 4, 3, 2, 1} }

// For the template: as many as the comment has stars.
func (c comment) Filled() []struct{} { return make([]struct{}, c.Rating) }
